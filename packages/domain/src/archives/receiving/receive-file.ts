import { toFileName } from '../../attachments/files/file-name.ts'
import { keepFile } from '../../attachments/operations/note-file.ts'
import { putFile } from '../../attachments/operations/put-file.ts'
import { requireAnyFileRoom } from '../../billing/require-room.ts'
import { DomainError } from '../../errors.ts'
import { fromBase64 } from '../../values/bytes/base64.ts'
import type { Archived } from '../format/archive-line.ts'
import { type Receiving, tokenHere } from './receiving.ts'

/** Keeps the file whose bytes follow: what it is, is told by these. One that came already is passed over. */
export async function receiveFile(receiving: Receiving, said: Archived<'file'>): Promise<void> {
  const { context } = receiving
  const { store, blobs, settings, spaceId, userId } = context
  const token = tokenHere(receiving, said.token)
  const known = await store.read(async (tx) => {
    await requireAnyFileRoom({ ...context, tx }, spaceId)
    return tx.attachments.find(token)
  })
  // Tokens are kept where ids are: such a file may be left of a base that lay elsewhere, or others name it.
  if (known && known.spaceId !== spaceId) throw isElsewhere(said)
  const bytes = bytesOf(receiving, said)
  if (known) {
    for await (const _ of bytes);
    return
  }
  const put = await putFile(blobs, bytes, settings.maxAttachmentBytes)
  const name = toFileName(said.name)
  await keepFile(context, put, { token, spaceId, userId, name, promisedType: said.mimetype })
}

function isElsewhere({ name }: Archived<'file'>): DomainError {
  const there = `The file "${name}" of the archive is in another space by now`
  const advice = 'import it into that space, or a day after nothing names the file there any more'
  return new DomainError('conflict', `${there}: ${advice}`)
}

/** The bytes in the lines that follow; fails where they aren't as many as were said. */
async function* bytesOf(
  { reader }: Receiving,
  { size }: Archived<'file'>,
): AsyncGenerator<Uint8Array> {
  let read = 0
  for (;;) {
    const item = await reader.next()
    if (item?.kind !== 'bytes') {
      reader.putBack(item)
      break
    }
    const bytes = fromBase64(item.said)
    if (!bytes) throw reader.wrong('must be Base64')
    read += bytes.length
    if (read > size) break
    yield bytes
  }
  if (read !== size) throw reader.wrong(`the file must have ${size} bytes, as was said of it`)
}
