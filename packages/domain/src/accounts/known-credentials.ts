import type { KnownActor } from '../access/actor.ts'
import { type Timestamp, toTimestamp } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Store } from '../store.ts'

/** Who came with a credential, and until when it is good. */
export interface FoundCredential {
  readonly actor: KnownActor
  readonly expiresTime: Timestamp
}

interface Kept extends FoundCredential {
  /** What the storage said of who may call while the credential was looked up. */
  readonly accessState: number
  readonly atMs: number
}

/**
 * Credentials that were found good, so that a caller of many calls is looked up once and not each time. One that is kept is
 * what a look would find: it is forgotten with each change of who may call, and a while after it was looked up in any case.
 * Where a storage doesn't tell of changes, nothing is kept.
 */
export class KnownCredentials {
  readonly #store: Pick<Store, 'accessState'>
  readonly #kept = new Map<string, Kept>()

  constructor(store: Pick<Store, 'accessState'>) {
    this.#store = store
  }

  /** Who comes with the credential, as far as that is known at the time (milliseconds since 1970-01-01 UTC). */
  find(credential: string, nowMs: number): KnownActor | undefined {
    const kept = this.#kept.get(credential)
    if (!kept || kept.accessState !== this.#store.accessState?.()) return undefined
    if (nowMs - kept.atMs >= limits.credentialMs || nowMs < kept.atMs) return undefined
    return kept.expiresTime > toTimestamp(nowMs) ? kept.actor : undefined
  }

  /** Looks the credential up, and keeps who came with it unless something was changed meanwhile. */
  async lookUp(
    credential: string,
    nowMs: number,
    find: () => Promise<FoundCredential | undefined>,
  ): Promise<KnownActor | undefined> {
    const accessState = this.#store.accessState?.()
    const found = await find()
    this.#kept.delete(credential)
    if (!found) return undefined
    if (accessState !== undefined && accessState === this.#store.accessState?.()) {
      if (this.#kept.size >= limits.credentialsRemembered) this.#kept.clear()
      this.#kept.set(credential, { ...found, accessState, atMs: nowMs })
    }
    return found.actor
  }
}
