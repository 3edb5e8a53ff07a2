import type { Clock } from '@gateleg/domain/clock'
import type { PortName, Ports } from '@gateleg/domain/ports'
import type { Store } from '@gateleg/domain/store'
import { Container } from 'inversify'
import { openingModule, platformModule, replacingModule } from './modules.ts'
import { type ReplaceablePorts, replaceableNames } from './replaceable-ports.ts'
import { portToken } from './tokens.ts'

/** What the ports are put together of. */
export interface Wiring {
  readonly instanceKey: string
  readonly store: Store
  readonly clock: Clock
  /** The ports that the embedding program brings. */
  readonly replaced: Partial<ReplaceablePorts>
}

/**
 * Puts the ports together. All are resolved here, so one that nothing is bound to fails whoever is first to ask for any, and
 * not the call that uses it. A use case gets only the ports that it names. The container is used in this file alone.
 */
export function wire({ instanceKey, store, clock, replaced }: Wiring): Ports {
  const container = new Container({ defaultScope: 'Singleton' })
  const opened = openingModule(store, clock)
  container.load(platformModule(instanceKey), opened, replacingModule(replaced))
  const names = ['store', ...Object.keys(replaceableNames)] as readonly PortName[]
  const found = names.map((name) => [name, container.get(portToken(name))] as const)
  return Object.fromEntries(found) as unknown as Ports
}
