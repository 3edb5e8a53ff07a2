import type { Trace } from '@gateleg/domain/call'
import type { PortName, Ports } from '@gateleg/domain/ports'
import type { Store } from '@gateleg/domain/store'
import { Container } from 'inversify'
import { LateCalls } from './late-calls.ts'
import { platformModule, replacingModule, storageModule } from './modules.ts'
import { type ReplaceablePorts, replaceableNames } from './replaceable-ports.ts'
import { portToken } from './tokens.ts'

/** What is needed to make the use cases callable. */
export interface Wiring {
  readonly instanceKey: string
  readonly store: Store
  /** The ports that the embedding program brings. */
  readonly replaced: Partial<ReplaceablePorts>
  readonly trace: Trace
}

/** Every use case by its name, and the ports. */
export interface Wired {
  readonly calls: LateCalls
  readonly ports: Ports
}

/**
 * Makes every use case callable. All ports are resolved here, so one that nothing is bound to fails at the start and
 * not at the first call. A use case gets only the ports that it names. The container is used in this file alone.
 */
export function wire({ instanceKey, store, replaced, trace }: Wiring): Wired {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(platformModule(instanceKey), storageModule(store), replacingModule(replaced))
  const names = ['store', ...Object.keys(replaceableNames)] as readonly PortName[]
  const found = names.map((name) => [name, container.get(portToken(name))] as const)
  const ports = Object.fromEntries(found) as unknown as Ports
  return { calls: new LateCalls(ports, trace), ports }
}
