import type { KnownActor } from '../../access/actor.ts'
import { toUnverified } from '../../access/live-credentials.ts'
import { type Timestamp, toTimestamp } from '../../clock.ts'
import { limits } from '../../limits.ts'
import type { Store } from '../../store.ts'

/** Who came with a credential, and until when it is good. */
export interface FoundCredential {
  readonly actor: KnownActor
  readonly expiresTime: Timestamp
  /** When its use is to be noted again; undefined where that isn't noted. */
  readonly notedUntil?: Timestamp
}

interface Kept extends FoundCredential {
  /** What the storage said of who may call while the credential was looked up; undefined where that changed meanwhile. */
  readonly accessState: number | undefined
  readonly atMs: number
}

/**
 * Credentials that were found good, so that a caller of many calls is looked up once and not each time. One that is kept is
 * what a look would find where the storage tells of changes: it is passed over after each change of who may call, and a while
 * after it was looked up in any case. Of other storages it tells who called, to be looked up again with the call.
 */
export class KnownCredentials {
  readonly #store: Pick<Store, 'accessState'>
  readonly #kept = new Map<string, Kept>()

  constructor(store: Pick<Store, 'accessState'>) {
    this.#store = store
  }

  /** Who comes with the credential, as far as that is known at the time (milliseconds since 1970-01-01 UTC). */
  find(credential: string, nowMs: number): KnownActor | undefined {
    const kept = this.#of(credential, nowMs, limits.credentialMs)
    const state = kept?.accessState
    return state !== undefined && state === this.#store.accessState?.() ? kept?.actor : undefined
  }

  /** Who came with the credential lately, to be verified by the call itself. */
  recall(credential: string, nowMs: number): KnownActor | undefined {
    const kept = this.#of(credential, nowMs, limits.credentialRecalledMs)
    return kept && toUnverified(kept.actor)
  }

  #of(credential: string, nowMs: number, lifeMs: number): Kept | undefined {
    const kept = this.#kept.get(credential)
    if (!kept || nowMs - kept.atMs >= lifeMs || nowMs < kept.atMs) return undefined
    const now = toTimestamp(nowMs)
    const isDue = kept.notedUntil !== undefined && kept.notedUntil <= now
    return kept.expiresTime > now && !isDue ? kept : undefined
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
    const isSame = accessState === this.#store.accessState?.()
    if (this.#kept.size >= limits.credentialsRemembered) this.#kept.clear()
    const kept = { ...found, accessState: isSame ? accessState : undefined, atMs: nowMs }
    this.#kept.set(credential, kept)
    return found.actor
  }
}
