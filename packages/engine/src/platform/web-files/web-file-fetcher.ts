import type { IncomingMessage } from 'node:http'
import {
  type FetchedFile,
  FetchRefusal,
  type FileFetcher,
  type FileRequest,
} from '@gateleg/domain/attachments/files/file-fetcher'
import { DomainError } from '@gateleg/domain/errors'
import { limits } from '@gateleg/domain/limits'
import { askWeb } from './ask-web.ts'
import { FetchPace } from './fetch-pace.ts'
import { FetchPlaces } from './fetch-places.ts'
import { nameOfAnswer } from './name-of-answer.ts'
import { OpenPlaces, type OpenPlacesOptions } from './open-places.ts'

export interface WebFileOptions extends OpenPlacesOptions {
  /** Milliseconds in which a file must begin to come, redirects included. */
  readonly startMs?: number
  /** Milliseconds in which all of it must have come. */
  readonly totalMs?: number
}

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

/**
 * Fetches files over http and https, only from addresses that the policy allows. A name is looked up once, all of its
 * addresses must be allowed, and the connection goes to one of them; the same holds for each redirect.
 */
export class WebFileFetcher implements FileFetcher {
  readonly #open: OpenPlaces
  readonly #startMs: number
  readonly #totalMs: number
  readonly #places = new FetchPlaces()

  /** Throws a TypeError for networks that are none. */
  constructor({ startMs, totalMs, ...open }: WebFileOptions = {}) {
    this.#open = new OpenPlaces(open)
    this.#startMs = startMs ?? limits.fetchStartSeconds * 1_000
    this.#totalMs = totalMs ?? limits.fetchSeconds * 1_000
  }

  async fetch({ url, most, caller, signal }: FileRequest): Promise<FetchedFile> {
    signal?.throwIfAborted()
    const leave = this.#places.take(caller)
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(tooSlow()), this.#totalMs)
    const starting = setTimeout(() => controller.abort(tooSlow()), this.#startMs)
    const giveUp = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', giveUp)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      controller.abort()
      leave()
    }
    try {
      const { answer, place } = await this.#follow(toUrl(url), controller.signal)
      requireFile(answer, most)
      const stream = () => bytesOf(answer, controller)
      return { name: nameOfAnswer(answer, place), stream, end }
    } catch (error) {
      const refusal = toRefusal(error, controller.signal)
      end()
      throw refusal
    } finally {
      clearTimeout(starting)
    }
  }

  /** Follows redirects to an answer that is none. */
  async #follow(url: URL, signal: AbortSignal) {
    let place = url
    for (let times = 0; times <= limits.fetchRedirects; times++) {
      const answer = await askWeb(place, await this.#open.addressesOf(place, signal), signal)
      const { location } = answer.headers
      if (!redirects.has(answer.statusCode) || location === undefined) return { answer, place }
      // Nobody reads what a redirect says besides.
      answer.destroy()
      place = toUrl(location, place)
    }
    throw new FetchRefusal(`must lead to a file through ${limits.fetchRedirects} redirects at most`)
  }
}

/** The URL as browsers read it, so that every way to write an address comes to the same one. */
function toUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new FetchRefusal('must be a URL that begins with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefusal('must be a URL without a name or password in it')
  }
  return url
}

/** Refuses what is no file as it is, or says that it has too many bytes. */
function requireFile({ statusCode, headers }: IncomingMessage, most: number): void {
  if (statusCode !== 200) throw new FetchRefusal(`must lead to a file: it answers ${statusCode}`)
  // Nothing is decompressed: a few bytes could become any number.
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity') {
    throw new FetchRefusal('must lead to a file that is sent as it is, without a Content-Encoding')
  }
  if (Number(headers['content-length'] ?? 0) > most) {
    throw new DomainError('payload_too_large', `A file may have ${most} bytes at most`)
  }
}

async function* bytesOf(
  answer: IncomingMessage,
  controller: AbortController,
): AsyncIterable<Uint8Array> {
  const pace = new FetchPace(() => controller.abort(tooSlow()))
  const reading = answer[Symbol.asyncIterator]()
  try {
    for (;;) {
      const piece = await pace.of(reading.next())
      if (piece.done) return
      pace.take(piece.value.length)
      yield piece.value
    }
  } catch (error) {
    throw toRefusal(error, controller.signal)
  } finally {
    await reading.return?.()
  }
}

/** What is told of any failure: nothing of the machine that was asked, but for what it answered. */
function toRefusal(error: unknown, { aborted, reason }: AbortSignal): unknown {
  if (error instanceof FetchRefusal || error instanceof DomainError) return error
  return aborted ? reason : Object.assign(unreachable(), { cause: error })
}

function unreachable(): FetchRefusal {
  return new FetchRefusal('must lead to a file: none could be read from this address')
}

function tooSlow(): FetchRefusal {
  return new FetchRefusal('must lead to a file that arrives in time: it arrived too slowly')
}
