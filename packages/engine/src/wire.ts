import 'reflect-metadata'
import type { Call, Trace } from '@gateleg/domain/call'
import type { Ports } from '@gateleg/domain/ports'
import type { Store } from '@gateleg/domain/store'
import { Container } from 'inversify'
import {
  allUseCases,
  platformModule,
  replacingModule,
  storageModule,
  useCaseModule,
} from './modules.ts'
import type { ReplaceablePorts } from './replaceable-ports.ts'
import { callToken, portToken, traceToken } from './tokens.ts'

/** What the use cases are made callable with. */
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
  readonly ports: Pick<Ports, 'store' | 'secrets' | 'clock' | 'ids'>
}

/**
 * Makes every use case callable. All of them are resolved here, so a port that nothing is bound to fails at the
 * start and not at the first call. The container stays in this file: nobody outside sees one.
 */
export function wire({ instanceKey, store, replaced, trace }: Wiring): Wired {
  const container = new Container({ defaultScope: 'Singleton' })
  container.bind(traceToken).toConstantValue(trace)
  container.load(platformModule(instanceKey), storageModule(store), useCaseModule())
  container.load(replacingModule(replaced))
  return {
    calls: new Map(allUseCases().map(([name]) => [name, container.get(callToken(name))])),
    ports: {
      store: container.get(portToken('store')),
      secrets: container.get(portToken('secrets')),
      clock: container.get(portToken('clock')),
      ids: container.get(portToken('ids')),
    },
  }
}
