import type { Timestamp } from '../../clock.ts'

/** A code that lets some people sign up. It is shown once; only a digest is kept. */
export interface InviteCode {
  readonly id: string
  readonly codeHash: string
  readonly usesLeft: number
  readonly createdBy: string
  readonly createdTime: Timestamp
}

/** Keeps invitation codes. */
export interface InviteCodeRepository {
  insert(code: InviteCode): Promise<void>
  /** Takes one of the uses that the code has left. Returns whether there was one. */
  takeUse(codeHash: string): Promise<boolean>
}
