import type { z } from 'zod'
import type { CallOptions } from './call.ts'
import type { DomainError } from './errors.ts'
import type { UseCase } from './use-case.ts'
import type { UseCases } from './use-cases.ts'

type InputOf<U extends UseCase> = z.input<U['input']>
type ResultOf<U extends UseCase> = Exclude<Awaited<ReturnType<U['run']>>, DomainError>

/** A use case as its callers see it: input in, answer out; throws DomainError. */
export type Operation<U extends UseCase> = (
  input: InputOf<U>,
  options?: CallOptions,
) => Promise<ResultOf<U>>

/** All use cases for one actor, by feature and name: `api.tree.moveNode({ … })`. */
export type Api = {
  readonly [Feature in keyof UseCases]: {
    readonly [Name in keyof UseCases[Feature]]: UseCases[Feature][Name] extends UseCase
      ? Operation<UseCases[Feature][Name]>
      : never
  }
}

/** `feature.name` of every use case. */
export type UseCaseName = {
  [Feature in keyof UseCases]: `${Feature}.${keyof UseCases[Feature] & string}`
}[keyof UseCases]
