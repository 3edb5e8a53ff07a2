import 'reflect-metadata'
import { type Call, corePorts, type Trace, toCall } from '@gateleg/domain/call'
import type { PortName, Ports } from '@gateleg/domain/ports'
import type { Store } from '@gateleg/domain/store'
import { Container } from 'inversify'
import { allUseCases } from './all-use-cases.ts'
import { platformModule, replacingModule, storageModule } from './modules.ts'
import type { ReplaceablePorts } from './replaceable-ports.ts'
import { portToken } from './tokens.ts'

/** What is needed to make the use cases callable. */
export interface Wiring {
  readonly instanceKey: string
  readonly store: Store
  /** The ports that the embedding program brings. */
  readonly replaced: Partial<ReplaceablePorts>
  readonly trace: Trace
}

/** Every use case by its name, and the ports that the engine itself uses. */
export interface Wired {
  readonly calls: ReadonlyMap<string, Call>
  readonly ports: Pick<
    Ports,
    'store' | 'secrets' | 'clock' | 'ids' | 'blobs' | 'settings' | 'plans'
  >
}

/**
 * Makes every use case callable, with only the ports that it needs. Ports are resolved here, so that a missing one
 * fails at the start and not at the first call. The container is used in this file alone.
 */
export function wire({ instanceKey, store, replaced, trace }: Wiring): Wired {
  const container = new Container({ defaultScope: 'Singleton' })
  container.load(platformModule(instanceKey), storageModule(store), replacingModule(replaced))
  // Each once: hundreds of use cases need the same few.
  const found = new Map<PortName, unknown>()
  const portOf = (port: PortName) => {
    if (!found.has(port)) found.set(port, container.get(portToken(port)))
    return found.get(port)
  }
  const calls = allUseCases().map(([name, useCase]) => {
    const needed = new Set<PortName>([...corePorts, ...(useCase.needs ?? [])])
    const ports = [...needed].map((port) => [port, portOf(port)] as const)
    return [
      name,
      toCall(name, useCase, Object.fromEntries(ports) as unknown as Ports, trace),
    ] as const
  })
  return {
    calls: new Map(calls),
    ports: {
      store: container.get(portToken('store')),
      secrets: container.get(portToken('secrets')),
      clock: container.get(portToken('clock')),
      ids: container.get(portToken('ids')),
      blobs: container.get(portToken('blobs')),
      settings: container.get(portToken('settings')),
      plans: container.get(portToken('plans')),
    },
  }
}
