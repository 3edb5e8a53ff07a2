/** The cost of argon2id for one password: memory in KiB, passes over it, and threads. */
export interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** A message to a thread for passwords: make a hash, or check a password against a hash. */
export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Argon2Cost }
  | { readonly kind: 'verify'; readonly hash: string; readonly password: string }

/** A message from that thread: the hash, or whether the password matches, or why it could do neither. */
export type PasswordAnswer = { readonly result: string | boolean } | { readonly failure: string }
