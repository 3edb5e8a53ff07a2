import type { Secrets } from '../secrets.ts'
import { toBase64 } from '../values/bytes/base64.ts'

/** What an app sends of its verifier before (RFC 7636): a SHA-256 digest, as base64url. */
export const challengeForm = /^[A-Za-z0-9_-]{43}$/

/** Whether the challenge was made of the verifier. */
export function isChallengeOf(
  secrets: Pick<Secrets, 'digest' | 'equal'>,
  { challenge, verifier }: { readonly challenge: string; readonly verifier: string },
): boolean {
  const hex = secrets.digest(verifier)
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const text = toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return secrets.equal(text, challenge)
}
