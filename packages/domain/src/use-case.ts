import { z } from 'zod'
import type { Actor } from './access/actor.ts'
import type { Guard } from './access/guard.ts'
import type { Plans } from './billing/plans.ts'
import type { Timestamp } from './clock.ts'
import type { DomainError } from './errors.ts'
import type { FileUrls } from './file-urls.ts'
import type { Ids } from './ids.ts'
import type { PortName, Ports } from './ports.ts'
import type { ReadTx, Store, WriteTx } from './store.ts'
import { TextStream } from './text-stream.ts'
import type { UndoLog } from './undo/undo-log.ts'

/** An answer about a resource that has a version, which HTTP shows as its `ETag`. */
export type Versioned<T> = T & { readonly version: number }

/** Where a call came from, as far as the adapter that took it knows. */
export interface Origin {
  /** The address of the socket, or what a trusted proxy says of its own; never what a caller may say. */
  readonly address?: string
  readonly userAgent?: string
}

/** What every use case is told about the call, besides its input. */
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
  /** Whether it is noted who changes which cell; absent where it isn't. */
  readonly keepsHistory?: boolean
  /** What the call does is noted there, where it is made in a window in which it may be undone. */
  readonly undo?: UndoLog | undefined
  /** See `CallOptions`. */
  readonly windowId?: string
  /** See `CallOptions`; for what takes long outside of the storage. */
  readonly signal?: AbortSignal
  /** What spaces may have by their levels. */
  readonly plans: Plans
  /** The address of the service as callers know it; undefined where it doesn't know that itself. */
  readonly publicUrl: string | undefined
  /** Makes the URLs of files that are shown to the caller; absent where nobody is signed in. */
  readonly fileUrls?: FileUrls
}

/** What a use case that reads has: the call, the ports that it named, what its guard found, and a snapshot. */
export type ReadContext<Scope, Needs extends PortName> = CallContext &
  Pick<Ports, Needs> &
  Scope & { readonly tx: ReadTx }

/** What a use case that writes has: the same, a transaction, and what was prepared before it began. */
export type WriteContext<Scope, Needs extends PortName, Prepared> = CallContext &
  Pick<Ports, Needs> &
  Scope & {
    readonly tx: WriteTx
    readonly prepared: Prepared
    /**
     * Has something done once the changes are durable, before the call is answered, and not at all where they aren't. It
     * must not fail.
     */
    readonly afterCommit: (work: () => unknown) => void
  }

/**
 * What an `Idempotency-Key` keeps of an answer, for the call that is repeated. `content`: the answer, for
 * whoever passes the guard again. `receipt`: the answer, guard or no guard: it says no more than that the
 * call was made, and where that deleted what the guard asks about, nobody could pass. `secret`: nothing;
 * the repeated call is refused, since what it answered is shown once.
 */
export type AnswerKind = 'content' | 'receipt' | 'secret'

interface UseCaseParts<I extends z.ZodType, O extends z.ZodType, Scope, Needs extends PortName> {
  /** What it does, in a few words, for the documentation. */
  readonly summary: string
  /** What it takes. Unknown members are dropped. The only definition: every surface uses it. */
  readonly input: I
  /** What it answers, for the documentation and for checks in tests. */
  readonly output: O
  /** Who may call it. */
  readonly access: Guard<z.output<I>, Scope>
  /** The ports it needs beyond the transaction, the time and ids. */
  readonly needs?: readonly Needs[]
  /** Whether it may take up room of a space that its guard doesn't name: the level of the space may have none. */
  readonly takesRoom?: true
  /** Whether it obeys `answerLength`, so that a caller can try with little memory. */
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
  /** See `ReadOptions`; for what is called so often that the beginning and the end of a transaction count. */
  readonly needsNoSnapshot?: true
  /** Whether it passes over many records, so that it must hold up nothing else; by default it doesn't. */
  isLong?(input: z.output<I>): boolean
  run(context: ReadContext<Scope, Needs>, input: z.output<I>): Promise<Result | LateRead<Result>>
}

/**
 * An answer to a call that reads, for which slow work is done once the snapshot has ended. The store is the caller's.
 */
export class LateRead<Result> {
  readonly make: (store: Store) => Promise<Result>

  /** Takes what does the work and answers. */
  constructor(make: (store: Store) => Promise<Result>) {
    this.make = make
  }
}

/**
 * A part of an answer that is a stream of text. Each part is read on a snapshot of its own, and the guard is asked again
 * for each: between two of them no transaction waits for a slow reader.
 */
export class StreamPart<Context> {
  /** Its text, piece by piece: to send a long one takes the processor for as long as others would notice. */
  readonly pieces: readonly string[]
  readonly fileName: string
  readonly mediaType: string
  /** Reads the part that follows; undefined after the last one. May be called again where a read is begun anew. */
  readonly goOn: ((context: Context) => Promise<StreamPart<Context>>) | undefined

  /** Takes the text, what is told of the whole, and what reads on. */
  constructor(part: Pick<StreamPart<Context>, 'pieces' | 'fileName' | 'mediaType' | 'goOn'>) {
    this.pieces = part.pieces
    this.fileName = part.fileName
    this.mediaType = part.mediaType
    this.goOn = part.goOn
  }
}

/**
 * A use case that changes something: it runs in one transaction. A DomainError that it throws undoes
 * everything; one that it returns is thrown after the commit (a failed sign-in must be remembered). One that
 * may change many records says so by `tx.becomeLong()`, and may run a second time then.
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
   * Whether it compares `ifMatch` itself, by `requireEachMatch`, with the version of each thing that it changes; else
   * that of what the guard names is compared before it runs. It must do so before it changes anything. Where it
   * prepares something, the version of what the guard names is compared before that.
   */
  readonly matchesEach?: true
  /** `receipt` where the output is nothing, else `content`, when it isn't said. */
  readonly answers?: AnswerKind
  /** Slow or outside work that must not hold a transaction up (password hashes, other services). */
  prepare?(
    context: CallContext & Pick<Ports, Needs | 'store'>,
    input: z.output<I>,
  ): Promise<Prepared>
  /**
   * Answers where `run` was refused and all that it had done is undone, in a transaction of its own, or throws the
   * refusal. For calls whose answer says why something could not be done.
   */
  answerRefusal?(
    context: WriteContext<Scope, Needs, Prepared>,
    refusal: DomainError,
  ): Promise<Result>
  /**
   * Gives up what was prepared where the call is refused after that, or gets the answer of another call with its
   * `Idempotency-Key` that was under way meanwhile. For what is kept of it in the storage.
   */
  abandon?(context: CallContext & Pick<Ports, Needs | 'store'>, prepared: Prepared): Promise<void>
  run(
    context: WriteContext<Scope, Needs, Prepared>,
    input: z.output<I>,
  ): Promise<Result | DomainError | LateAnswer<Result>>
}

/**
 * An answer that is made once the changes are durable: nobody waits for the writer while a long one is made. What
 * it is made of was read before. It must not fail: the changes stay.
 */
export class LateAnswer<Result> {
  readonly make: (turns: Turns) => Promise<Result>

  /** Takes what makes the answer, which gives way to others by the turns that it is given. */
  constructor(make: (turns: Turns) => Promise<Result>) {
    this.make = make
  }
}

/** How work gives way to others. */
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

/** Defines a use case that reads, and answers a text of any length: `run` reads the first part of it. */
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
