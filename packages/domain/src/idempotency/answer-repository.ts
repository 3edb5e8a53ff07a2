import type { Timestamp } from '../clock.ts'

/** The first answer to a call that carried an idempotency key. */
export interface KeptAnswer {
  /** Tells who called what under which key; only a digest, so that keys don't lie around. */
  readonly keyHash: string
  /** A digest of what was asked for; the same key must not come with another input. */
  readonly inputHash: string
  /** The answer, sealed: it may hold a token that is stored nowhere else in the clear. */
  readonly sealedAnswer: string
  readonly expiresTime: Timestamp
}

/** Keeps first answers. */
export interface AnswerRepository {
  /** The answer kept under the key, expired or not. A concurrent holder of the key is waited for. */
  find(keyHash: string): Promise<KeptAnswer | undefined>
  /** Keeps the answer, in place of an expired one under the same key. */
  save(answer: KeptAnswer): Promise<void>
  /** Forgets at most `most` answers that expired before the time. Returns how many it was. */
  deleteExpired(before: Timestamp, most: number): Promise<number>
}
