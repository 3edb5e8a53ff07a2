import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@gateleg/contract/client'
import type { Api } from '@gateleg/domain/api'
import { DomainError } from '@gateleg/domain/errors'
import type { AnswerRecord } from './answer-record.ts'
import { exchangeBytes } from './exchange-bytes.ts'
import type { SecretSearch } from './secret-search.ts'
import type { TalkativeServices } from './talkative-services.ts'

/** A server that is spoken with, and what is known of it. */
export interface SceneParts {
  readonly url: string
  readonly search: SecretSearch
  readonly record: AnswerRecord
  readonly services: TalkativeServices
  /** The texts of all mails so far. */
  readonly mails: () => readonly string[]
  /** Has the mail server refuse everybody, or be itself again. */
  readonly refuseMail: (refuses: boolean) => void
}

/** A request that is written by hand. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A secret that no other bytes are like, with the characters that forms of writing change. */
export function newSecret(): string {
  return `Zq7${randomBytes(14).toString('hex')}"é\\+/ &1`
}

/** Speaks with a server, and remembers each secret that is sent to it or comes from it. */
export class Scene {
  readonly parts: SceneParts
  #mailsRead = 0

  constructor(parts: SceneParts) {
    this.parts = parts
  }

  /** A new secret that is searched for under the name. */
  secret(name: string): string {
    return this.parts.search.add(name, newSecret())
  }

  /** A secret of ASCII letters and digits alone, for what takes nothing else. */
  word(name: string): string {
    return this.parts.search.add(name, newSecret().replace(/[^\dA-Za-z]/g, ''))
  }

  /** All operations, called by whom the token says. */
  api(token?: string, shareToken?: string): Api {
    const { url, record } = this.parts
    return createClient({
      baseUrl: `${url}/api`,
      fetch: record.fetch,
      ...(token !== undefined && { token }),
      ...(shareToken !== undefined && { shareToken }),
    })
  }

  /** Sends a request as it is; answers with the status and the text. */
  async send({ method = 'GET', path, headers = {}, body }: RawRequest) {
    const { url, record } = this.parts
    const isRaw = typeof body === 'string' || body instanceof FormData
    const answer = await record.fetch(`${url}${path}`, {
      method,
      headers: { ...(!isRaw && body !== undefined && json), ...headers },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  /** Writes bytes that may be no request. */
  async write(text: string): Promise<void> {
    const { url, record } = this.parts
    const answer = await exchangeBytes(url, text)
    record.answers.push({ place: 'no request', status: 400, text: answer, shown: new Set() })
  }

  /** Waits for something of the form in a mail that nobody has read, which is a secret from then on. */
  async mailed(name: string, form: RegExp): Promise<string> {
    const { mails, search } = this.parts
    for (let looks = 0; looks < looksMax; looks++) {
      const found = form.exec(mails().slice(this.#mailsRead).toReversed().join('\n'))?.[0]
      if (found !== undefined) {
        this.#mailsRead = mails().length
        return found.length === 6 ? search.addCode(name, found) : search.addDrawn(name, found)
      }
      await pause(lookEveryMs)
    }
    throw new Error(`no ${name} in: ${mails().at(-1)}`)
  }

  /** Waits until the call is refused. */
  async refused(call: Promise<unknown>): Promise<DomainError> {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error instanceof DomainError) return error
    throw new Error('the call was to be refused', { cause: error })
  }
}

/** Milliseconds between two looks for a mail, and how many looks there are. */
const lookEveryMs = 20
const looksMax = 500

const json = { 'Content-Type': 'application/json' }
