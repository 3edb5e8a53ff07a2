import type { z } from 'zod'
import type { CallerScope, Guard } from './access/guard.ts'
import type { TextStream } from './answers/text-stream.ts'
import type { CallOptions } from './calls/call-options.ts'
import type { DomainError } from './errors.ts'
import type { LateAnswer, LateRead, StreamPart, UseCase } from './use-case.ts'
import type { UseCases } from './use-cases.ts'

type InputOf<U extends UseCase> = z.input<U['input']>
type ResultOf<U extends UseCase> = Made<Exclude<Awaited<ReturnType<U['run']>>, DomainError>>

/**
 * The answer type that a caller sees: a late answer becomes its value, and the first part of a text becomes a stream.
 */
type Made<Answer> =
  Answer extends LateAnswer<infer Result>
    ? Result
    : Answer extends LateRead<infer Result>
      ? Made<Result>
      : Answer extends StreamPart<infer _Context>
        ? TextStream
        : Answer

/**
 * A use case as its callers see it: input in, answer out; throws DomainError. An input that has no required
 * member may be left out. Two function types, not one with a list of parameters that depends: so an editor shows what
 * goes in and what comes out, in the place of this name.
 */
export type Operation<U extends UseCase> =
  Record<never, never> extends InputOf<U>
    ? (input?: InputOf<U>, options?: CallOptions) => Promise<ResultOf<U>>
    : (input: InputOf<U>, options?: CallOptions) => Promise<ResultOf<U>>

/** All use cases for one actor, by feature and name: `api.tree.moveNode({ … })`. */
export type Api = {
  readonly [Feature in keyof UseCases]: {
    readonly [Name in keyof UseCases[Feature]]: UseCases[Feature][Name] extends UseCase
      ? Operation<UseCases[Feature][Name]>
      : never
  }
}

/** Whether everybody may call the use case: then its guard looks for no user, and its scope names none. */
type IsPublic<U> = U extends { readonly access: Guard<never, infer Scope> }
  ? Scope extends CallerScope
    ? false
    : true
  : false

type PublicNames<Feature extends keyof UseCases> = {
  [Name in keyof UseCases[Feature]]: IsPublic<UseCases[Feature][Name]> extends true ? Name : never
}[keyof UseCases[Feature]]

/** The use cases that ask for no account: `api.accounts.signIn({ … })`. */
export type PublicApi = {
  readonly [Feature in keyof UseCases as PublicNames<Feature> extends never
    ? never
    : Feature]: Pick<Api[Feature], PublicNames<Feature>>
}

/** `feature.name` of every use case. */
export type UseCaseName = {
  [Feature in keyof UseCases]: `${Feature}.${keyof UseCases[Feature] & string}`
}[keyof UseCases]
