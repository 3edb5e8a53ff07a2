import type { HumanCheck } from '@gateleg/domain/accounts/sign-up/human-check'
import { DomainError } from '@gateleg/domain/errors'

export interface TurnstileOptions {
  /** The site's secret key. */
  readonly secretKey: string
  /** Where tokens are verified; another than Turnstile's own for tests and services that speak alike. */
  readonly siteverifyUrl?: string
  readonly timeoutMs?: number
}

const defaultUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const defaultTimeoutMs = 5_000

/** Reasons for a refusal that lie with the visitor's token; all others lie with us or the service. */
const tokenFaults = ['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate']

/** Tells people from programs with Cloudflare Turnstile. */
export class TurnstileHumanCheck implements HumanCheck {
  readonly #secretKey: string
  readonly #url: string
  readonly #timeoutMs: number

  constructor({ secretKey, siteverifyUrl, timeoutMs }: TurnstileOptions) {
    this.#secretKey = secretKey
    this.#url = siteverifyUrl ?? defaultUrl
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs
  }

  async isHuman(token: string, address: string | undefined): Promise<boolean> {
    const verdict = await this.#ask({
      secret: this.#secretKey,
      response: token,
      ...(address !== undefined && { remoteip: address }),
    })
    if (verdict.success === true) return true
    const faults = verdict['error-codes']
    const isTokenAtFault =
      Array.isArray(faults) && faults.some((fault) => tokenFaults.includes(fault))
    if (verdict.success !== false || !isTokenAtFault) throw unavailable(namesOf(faults))
    return false
  }

  /** Whatever keeps the answer from coming (network, time, form) is one thing: it can't be told. */
  async #ask(question: Record<string, string>): Promise<Record<string, unknown>> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        body: new URLSearchParams(question),
        // The secret goes where it was meant to go, or nowhere.
        redirect: 'error',
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      if (response.status >= 500) throw new Error(`siteverify answered ${response.status}`)
      return Object(await response.json())
    } catch (error) {
      throw unavailable(error)
    }
  }
}

/** What the service calls the faults, without anything else that it may say: the cause is logged. */
function namesOf(faults: unknown): string {
  const names = Array.isArray(faults) ? faults.filter((fault) => isFaultName.test(fault)) : []
  return `siteverify named ${names.slice(0, faultsNamed).join(', ') || 'no fault'}`
}

const isFaultName = /^[a-z-]{1,40}$/
const faultsNamed = 5

function unavailable(cause: unknown): DomainError {
  const error = new DomainError(
    'failed_dependency',
    'The captcha could not be checked: try again in a while',
  )
  error.cause = cause
  return error
}
