/** What argon2id spends on one password: memory in KiB, passes over it, and threads. */
export interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** What a thread for passwords is asked: to make a hash, or whether a password is that of a hash. */
export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Argon2Cost }
  | { readonly kind: 'verify'; readonly hash: string; readonly password: string }

/** What it answers: the hash, or whether the password matches; or why it could do neither. */
export type PasswordAnswer = { readonly result: string | boolean } | { readonly failure: string }
