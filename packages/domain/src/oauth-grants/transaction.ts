import type { Action } from '../access/roles.ts'
import { later, type Timestamp } from '../clock.ts'
import { type DomainError, notFound } from '../errors.ts'
import { limits } from '../limits.ts'
import { fromSigned, type Secrets, toSigned } from '../secrets.ts'
import type { CodeRequest } from './oauth-grant.ts'

/** What an app asks a user for. */
export interface Question {
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly Action[]
  readonly request: CodeRequest
  /** What the app wants back. */
  readonly state?: string | undefined
}

interface Transaction extends Question {
  readonly expiresTime: Timestamp
}

const prefix = 'oauth.'

/** The question as a text that fits an address, and that nobody else can make: so nothing is kept of questions that stay open. */
export function toTransactionId(
  secrets: Pick<Secrets, 'sign'>,
  question: Question,
  now: Timestamp,
): string {
  const expiresTime = later(now, limits.oauthDecisionMinutes * 60_000)
  const transaction: Transaction = { ...question, expiresTime }
  return toSigned(secrets, prefix + encodeURIComponent(JSON.stringify(transaction)))
}

/** The question that the id stands for; `not_found` for one that is somebody else's, that ended, or that we did not ask. */
export function fromTransactionId(
  secrets: Pick<Secrets, 'sign' | 'equal'>,
  id: string,
  { userId, now }: { readonly userId: string; readonly now: Timestamp },
): Question {
  const said = fromSigned(secrets, id)
  if (said?.startsWith(prefix)) {
    const found: Transaction = JSON.parse(decodeURIComponent(said.slice(prefix.length)))
    if (found.userId === userId && found.expiresTime > now) return found
  }
  throw noQuestion(id)
}

/** What is said of a question that nobody can answer. */
export function noQuestion(id: string): DomainError {
  return notFound('question', id, undefined, 'begin again in the app')
}
