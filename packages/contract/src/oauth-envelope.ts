import { z } from 'zod'
import { type ErrorEnvelope, errorEnvelope } from './error-envelope.ts'

/** The body of every answer that is not a success, where OAuth apps are answered. */
export const oauthErrorEnvelope = errorEnvelope
  .extend({
    error: z.string().describe('What went wrong, in the words of RFC 6749'),
    error_description: z.string().describe('The message, in ASCII and without quotes'),
  })
  .meta({ id: 'OAuthError' })

/** What OAuth calls errors that say no word of their own: those of the input, and ours (RFC 6749, 4.1.2.1 and 5.2). */
function wordOf({ status, data }: ErrorEnvelope): string {
  const word = data?.oauthError
  if (typeof word === 'string') return word
  if (status < 429) return 'invalid_request'
  return status === 500 ? 'server_error' : 'temporarily_unavailable'
}

/** The envelope, with what OAuth calls the error. Its description may have no quotes, and ASCII alone. */
export function toOAuthEnvelope(envelope: ErrorEnvelope): z.output<typeof oauthErrorEnvelope> {
  const description = envelope.message.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?')
  return { ...envelope, error: wordOf(envelope), error_description: description }
}
