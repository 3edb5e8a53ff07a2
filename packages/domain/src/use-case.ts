import { z } from 'zod'
import type { Actor } from './access/actor.ts'
import type { Guard } from './access/guard.ts'
import { TextStream } from './answers/text-stream.ts'
import type { Plans } from './billing/plans.ts'
import type { Timestamp } from './clock.ts'
import type { DomainError } from './errors.ts'
import type { FileUrls } from './file-urls.ts'
import type { Ids } from './ids.ts'
import type { PortName, Ports } from './ports.ts'
import type { ReadTx, Store, WriteTx } from './store.ts'
import type { UndoLog } from './undo/undo-log.ts'

/** An answer about a resource that has a version, which HTTP shows as its `ETag`. */
export type Versioned<T> = T & { readonly version: number }

/** Where a call came from, as far as its adapter knows. */
export interface Origin {
  /** The address of the socket, or the one that a trusted proxy forwards; never one that callers can choose. */
  readonly address?: string
  readonly userAgent?: string
}

/** What every use case knows of its call, besides the input. */
export interface CallContext {
  readonly actor: Actor
  readonly origin: Origin
  /** See `CallOptions`; for use cases that end at a length. */
  readonly answerLength?: number
  /** See `CallOptions`; for lists that end at a length. */
  readonly mayEndSooner?: boolean
  /** See `CallOptions`; for use cases that compare it themselves (`matchesEach`). */
  readonly ifMatch?: readonly number[]
  readonly now: Timestamp
  readonly ids: Ids
  /** Whether changes of cells are recorded in the history. */
  readonly keepsHistory?: boolean
  /** Collects what the call changes, so that it can be undone; only for calls with a `windowId`. */
  readonly undo?: UndoLog | undefined
  /** See `CallOptions`. */
  readonly windowId?: string
  /** See `CallOptions`; for slow work outside of the storage. */
  readonly signal?: AbortSignal
  /** What spaces may have, by their levels of the billing catalogue. */
  readonly plans: Plans
  /** The URL at which callers reach the service; undefined where it isn't configured. */
  readonly publicUrl: string | undefined
  /** Signs the URLs of files that the caller is shown; absent where nobody is signed in. */
  readonly fileUrls?: FileUrls
}

/** The context of a use case that reads: the call, the ports in `needs`, the guard's scope, and a snapshot. */
export type ReadContext<Scope, Needs extends PortName> = CallContext &
  Pick<Ports, Needs> &
  Scope & { readonly tx: ReadTx }

/** The context of a use case that writes: the same with a transaction, and the result of `prepare`. */
export type WriteContext<Scope, Needs extends PortName, Prepared> = CallContext &
  Pick<Ports, Needs> &
  Scope & {
    readonly tx: WriteTx
    readonly prepared: Prepared
    /** Whether the answer is kept in the same transaction, for a repetition of the call. */
    readonly keepsAnswer: boolean
    /**
     * Runs the work after the commit and before the call is answered; without a commit it isn't run. The work must not
     * throw.
     */
    readonly afterCommit: (work: () => unknown) => void
  }

/**
 * What a call that repeats an earlier one by its `Idempotency-Key` gets. `content`: the kept answer, if the caller passes
 * the guard again. `receipt`: the kept answer without asking the guard: it says only that the call was made, and
 * after a deletion nobody could pass the guard any more. `secret`: a refusal: the answer, such as a new token, is
 * shown once and not kept.
 */
export type AnswerKind = 'content' | 'receipt' | 'secret'

interface UseCaseParts<I extends z.ZodType, O extends z.ZodType, Scope, Needs extends PortName> {
  /** What it does, in a few words; shown in the documentation. */
  readonly summary: string
  /** The schema of the input, for HTTP, the client and embedding programs alike. Unknown members are dropped. */
  readonly input: I
  /** The schema of the answer, for the documentation and the compiler; answers are checked with it in tests alone. */
  readonly output: O
  /** Who may call it. */
  readonly access: Guard<z.output<I>, Scope>
  /** The ports it uses besides the transaction, the time and ids. */
  readonly needs?: readonly Needs[]
  /** Whether it may use up a limit of a space's billing level although its guard names no space. */
  readonly takesRoom?: true
  /** Whether it obeys `answerLength` of `CallOptions`. */
  readonly endsAtLength?: boolean
}

/** A use case that changes nothing: it runs on one snapshot. */
export interface ReadUseCase<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  Scope = unknown,
  Needs extends PortName = PortName,
  Result = z.output<O>,
> extends UseCaseParts<I, O, Scope, Needs> {
  readonly kind: 'read'
  /** See `ReadOptions`; for calls so frequent that the cost of opening and ending a transaction matters. */
  readonly needsNoSnapshot?: true
  /** Whether, with this input, it goes through many records: then it runs where it blocks no others. By default, no. */
  isLong?(input: z.output<I>): boolean
  run(context: ReadContext<Scope, Needs>, input: z.output<I>): Promise<Result | LateRead<Result>>
}

/**
 * An answer for which a call that reads does slow work after its snapshot has ended. In the store it is given, it takes the
 * turns of the same caller.
 */
export class LateRead<Result> {
  readonly make: (store: Store) => Promise<Result>

  /** `make` does the work and resolves to the answer. */
  constructor(make: (store: Store) => Promise<Result>) {
    this.make = make
  }
}

/**
 * A part of an answer that is a stream of text. Each part is read on a snapshot of its own, behind the guard, so that no
 * transaction stays open while a slow client reads.
 */
export class StreamPart<Context> {
  /** The text of the part in pieces, because sending a long text at once would keep the processor from others. */
  readonly pieces: readonly string[]
  readonly fileName: string
  readonly mediaType: string
  /** Reads the next part; undefined for the last one. It may be called a second time when a storage retries the read. */
  readonly goOn: ((context: Context) => Promise<StreamPart<Context>>) | undefined

  /** `fileName` and `mediaType` are those of the whole stream. */
  constructor(part: Pick<StreamPart<Context>, 'pieces' | 'fileName' | 'mediaType' | 'goOn'>) {
    this.pieces = part.pieces
    this.fileName = part.fileName
    this.mediaType = part.mediaType
    this.goOn = part.goOn
  }
}

/**
 * A use case that changes something: it runs in one transaction. When it throws a DomainError, everything is rolled back.
 * When it returns one, the changes are committed and the error is thrown afterwards (a failed sign-in must be counted). Where
 * it may change many records it calls `tx.becomeLong()`, and may be run a second time.
 */
export interface WriteUseCase<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  Scope = unknown,
  Needs extends PortName = PortName,
  Result extends z.output<O> = z.output<O>,
  Prepared = unknown,
> extends UseCaseParts<I, O, Scope, Needs> {
  readonly kind: 'write'
  /**
   * Whether `run` itself compares `ifMatch` with the version of each resource that it changes, by `requireEachMatch` and
   * before any change. Otherwise the version of the guard's resource is compared before `run`; with a `prepare`, that is
   * done before `prepare` in either case.
   */
  readonly matchesEach?: true
  /** By default `receipt` for `noOutput`, else `content`. */
  readonly answers?: AnswerKind
  /** Does slow work before the transaction begins, such as hashing a password or calling another service. */
  prepare?(
    context: CallContext & Pick<Ports, Needs | 'store'>,
    input: z.output<I>,
  ): Promise<Prepared>
  /**
   * Turns a refusal of `run` into an answer, for calls whose answer says why something could not be done; or throws the
   * refusal. Runs in a new transaction, after that of `run` was rolled back.
   */
  answerRefusal?(
    context: WriteContext<Scope, Needs, Prepared>,
    refusal: DomainError,
  ): Promise<Result>
  /**
   * Undoes what `prepare` stored, when the call is refused afterwards or turns out to repeat, by its `Idempotency-Key`, a
   * call that was under way at the same time.
   */
  abandon?(context: CallContext & Pick<Ports, Needs | 'store'>, prepared: Prepared): Promise<void>
  run(
    context: WriteContext<Scope, Needs, Prepared>,
    input: z.output<I>,
  ): Promise<Result | DomainError | LateAnswer<Result>>
}

/**
 * An answer that is built after the commit, so that other writers don't wait while a long one is built. All that it needs
 * has been read before. Building it must not fail, since the changes stay.
 */
export class LateAnswer<Result> {
  readonly make: (turns: Turns) => Promise<Result>

  /** `make` builds the answer; it lets other work run by `turns.giveWay()`. */
  constructor(make: (turns: Turns) => Promise<Result>) {
    this.make = make
  }
}

/** Lets other work run on this thread. */
export type Turns = Pick<Store, 'giveWay'>

// biome-ignore-start lint/suspicious/noExplicitAny: an entry may have any combination of types
/** Any use case, as an entry of a table. */
export type UseCase =
  | ReadUseCase<any, any, any, any, any>
  | WriteUseCase<any, any, any, any, any, any>
// biome-ignore-end lint/suspicious/noExplicitAny: the entry's type ends

/** Whether the use case can be called without an account. */
export function isPublic({ access }: Pick<UseCase, 'access'>): boolean {
  const { on } = access.requirement
  return on === 'nothing' || on === 'share'
}

/** Defines a use case that reads. */
export function defineRead<
  I extends z.ZodType,
  O extends z.ZodType,
  Scope,
  Result extends z.output<O>,
  Needs extends PortName = never,
>(
  useCase: Omit<ReadUseCase<I, O, Scope, Needs, Result>, 'kind'>,
): ReadUseCase<I, O, Scope, Needs, Result> {
  return { ...useCase, kind: 'read' }
}

/** Defines a use case that answers a stream of text of any length; `run` reads its first part. */
export function defineText<I extends z.ZodType, Scope, Needs extends PortName = never>(
  useCase: Omit<TextUseCase<I, Scope, Needs>, 'kind' | 'output'>,
): TextUseCase<I, Scope, Needs> {
  return { ...useCase, kind: 'read', output: z.instanceof(TextStream) }
}

type TextUseCase<I extends z.ZodType, Scope, Needs extends PortName> = ReadUseCase<
  I,
  z.ZodType<TextStream>,
  Scope,
  Needs,
  StreamPart<ReadContext<Scope, Needs>>
>

/** Defines a use case that writes. */
export function defineWrite<
  I extends z.ZodType,
  O extends z.ZodType,
  Scope,
  Result extends z.output<O>,
  Needs extends PortName = never,
  Prepared = undefined,
>(
  useCase: Omit<WriteUseCase<I, O, Scope, Needs, Result, Prepared>, 'kind'>,
): WriteUseCase<I, O, Scope, Needs, Result, Prepared> {
  return { ...useCase, kind: 'write' }
}
