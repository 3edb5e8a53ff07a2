import type { ByteRange } from '@gateleg/domain/attachments/blob-store'
import { toFileName } from '@gateleg/domain/attachments/files/file-name'
import type { ServedFile } from '@gateleg/domain/attachments/served-file'
import { DomainError } from '@gateleg/domain/errors'
import type { Exchange } from '../exchange/exchange.ts'
import { isNoneMatch } from '../exchange/preconditions.ts'
import { attachmentOf } from './content-disposition.ts'
import { sendPieces } from './send-text.ts'

/** Seconds for which a browser may show a file without asking again. */
const keptSeconds = 300

/** Whatever a file says, a browser that shows it runs and loads nothing. */
const policy =
  "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/**
 * Sends a file, or the part of it that the caller asks for, while it is read; what a browser could run is sent as a
 * download. The same path always has the same bytes, so the path makes the `ETag`. Fails with `range_not_satisfiable`
 * for a part beyond the end, and with `not_found` when the bytes are gone.
 */
export async function answerFile(
  exchange: Exchange,
  file: ServedFile,
  path: string,
): Promise<void> {
  const { request, response } = exchange
  const tag = file.form === undefined ? `"${path}"` : `"${path}-${file.form}"`
  const headers = {
    'Content-Type': file.mimetype === 'text/plain' ? 'text/plain; charset=utf-8' : file.mimetype,
    'Content-Disposition': attachmentOf(
      toFileName(file.name),
      file.isShown() ? 'inline' : 'attachment',
    ),
    'Content-Security-Policy': policy,
    'Cache-Control': `private, max-age=${keptSeconds}`,
    'Accept-Ranges': 'bytes',
    ETag: tag,
  }
  const noneMatch = request.headers['if-none-match']
  if (noneMatch && isNoneMatch(noneMatch, tag)) {
    exchange.answer(304, '', headers)
    return
  }
  const ifRange = request.headers['if-range']
  // Only a GET has parts: a HEAD tells of the whole file, as one does that looks how large it is.
  const hasParts = request.method === 'GET' && (ifRange === undefined || ifRange === tag)
  const range = hasParts ? readRange(request.headers.range, file.size) : undefined
  if (range === 'behind the end') {
    response.setHeader('Content-Range', `bytes */${file.size}`)
    throw new DomainError('range_not_satisfiable', `The file has ${file.size} bytes`)
  }
  const found = await file.read(range)
  if (!found) throw new DomainError('not_found', 'The file does not exist any more')
  // What fails before there is a byte is told with its status. Of a HEAD nobody reads any.
  const pieces = request.method === 'HEAD' ? found : await begun(found)
  const { first, last } = range ?? { first: 0, last: file.size - 1 }
  const status = range ? 206 : 200
  const length = last - first + 1
  const isWhole = exchange.beginBytes(status, length, {
    ...headers,
    ...(range && { 'Content-Range': `bytes ${first}-${last}/${file.size}` }),
  })
  if (!isWhole) return
  await sendPieces(response, pieces, length)
  exchange.log(status)
}

/** The same pieces, of which the first one has come. */
async function begun(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const reading = pieces[Symbol.asyncIterator]()
  const first = await reading.next()
  return (async function* () {
    try {
      for (let piece = first; !piece.done; piece = await reading.next()) yield piece.value
    } finally {
      await reading.return?.()
    }
  })()
}

/**
 * The one part that a `Range` header asks for. Several parts, and what is no range of bytes, count for nothing: the whole is
 * an answer to them as well.
 */
function readRange(
  header: string | undefined,
  size: number,
): ByteRange | 'behind the end' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const count = Math.min(Number(to), size)
    return count === 0 ? 'behind the end' : { first: size - count, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'behind the end' : { first, last }
}
