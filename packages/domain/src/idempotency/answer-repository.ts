import type { Timestamp } from '../clock.ts'

/** The first answer to a call that carried an idempotency key. */
export interface KeptAnswer {
  /** Tells who called what under which key; only a digest, so that keys don't lie around. */
  readonly keyHash: string
  /** A digest of what was asked for, sealed; the same key must not come with another input. */
  readonly sealedInput: string
  /** The answer, sealed: it may hold a token that is stored nowhere else in the clear. */
  readonly sealedAnswer: string
  readonly expiresTime: Timestamp
}

/** How many answers go at a time, and how many bytes of them as they are stored. */
export interface AnswersAtOnce {
  readonly count: number
  readonly bytes: number
}

/** Keeps first answers. */
export interface AnswerRepository {
  /** The answer kept under the key, expired or not. A concurrent holder of the key is waited for. */
  find(keyHash: string): Promise<KeptAnswer | undefined>
  /** Keeps the answer, in place of an expired one under the same key. */
  save(answer: KeptAnswer): Promise<void>
  /**
   * Forgets answers that expired before the time, at most so many, and as far as they take so many bytes, one at
   * least. Returns whether there are more.
   */
  deleteExpired(before: Timestamp, most: AnswersAtOnce): Promise<boolean>
}
