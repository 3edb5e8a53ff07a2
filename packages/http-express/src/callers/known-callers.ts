import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '@gateleg/domain/limits'

/**
 * Whose credentials some requests had that were let in, so that later ones can be told apart before it is looked at what
 * they show. It opens nothing: it only says in whose turn a request begins.
 */
export class KnownCallers {
  readonly #callerOf = new Map<string, string>()

  /** Notes that the headers hold a good credential of the caller. */
  remember(headers: IncomingHttpHeaders, caller: string): void {
    const credential = credentialIn(headers)
    if (credential === undefined || this.#callerOf.has(credential)) return
    this.#callerOf.set(credential, caller)
    if (this.#callerOf.size <= limits.credentialsRemembered) return
    for (const [oldest] of this.#callerOf) {
      this.#callerOf.delete(oldest)
      return
    }
  }

  /** The caller whose credential the headers held before; undefined for what was never let in. */
  find(headers: IncomingHttpHeaders): string | undefined {
    const credential = credentialIn(headers)
    return credential === undefined ? undefined : this.#callerOf.get(credential)
  }
}

/** What a request shows of who sent it; none where that is longer than is remembered. */
function credentialIn({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
  const credential = authorization ?? cookie
  return credential && credential.length <= limits.shortTextLength ? credential : undefined
}
