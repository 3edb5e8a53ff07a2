import { DomainError, invalidAt } from '../errors.ts'

/** What is wrong with an app or what it trades, in the words of OAuth (RFC 6749), each with our own code. */
const codeByWord = { invalid_client: 'unauthorized', invalid_grant: 'invalid_credentials' } as const

/** An error that says in its data, too, what OAuth calls it. */
export function oauthError(word: keyof typeof codeByWord, message: string): DomainError {
  return new DomainError(codeByWord[word], message, { oauthError: word })
}

/** An error about a member of the input that says in its data, too, what OAuth calls it. */
export function oauthInvalid(
  word: 'invalid_request' | 'invalid_scope' | 'unsupported_grant_type',
  { member, rule }: { readonly member: string; readonly rule: string },
): DomainError {
  const { code, message, data } = invalidAt([member], rule)
  return new DomainError(code, message, { ...data, oauthError: word })
}
