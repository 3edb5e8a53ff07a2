import { callerOf } from '../access/caller-of.ts'
import type { Ports } from '../ports.ts'
import type { CallContext, UseCase } from '../use-case.ts'
import type { CallOptions } from './call-options.ts'

/** The ports that every call uses, whatever the use case itself needs. */
export type CorePorts = Pick<
  Ports,
  'store' | 'clock' | 'ids' | 'secrets' | 'settings' | 'thumbnails' | 'plans'
>

/** A call of a use case whose input has been parsed. */
export interface StartedCall<Called extends UseCase = UseCase> {
  /** `feature.name` of the use case. */
  readonly name: string
  readonly useCase: Called
  readonly context: CallContext
  readonly input: unknown
  readonly options: CallOptions
  readonly ports: CorePorts
}

/** Among which caller's transactions those of the call wait for their turn. */
export function turnOf({ context: { actor, origin } }: StartedCall): string {
  return callerOf(actor, origin.address)
}
