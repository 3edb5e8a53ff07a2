import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ReadTx } from '../../store.ts'
import { defineWrite } from '../../use-case.ts'
import { storableTextUpTo, textUpTo } from '../../values/storable-text.ts'
import type { UploadSlot } from '../attachment-repository.ts'
import { fileContent } from '../files/file-content.ts'
import { removeUnneeded } from '../unused/remove-unneeded.ts'
import { wasSaid } from '../upload-token.ts'
import { keepFile } from './note-file.ts'
import { putFile } from './put-file.ts'

const guard = signedIn({ action: 'record|update' })

/** Stores the bytes of a file under the token that was given out for it. */
export const uploadContent = defineWrite({
  summary: 'Upload the bytes of a file',
  input: z.object({
    token: storableTextUpTo(limits.shortTextLength).describe(
      'The token that was given out for the file',
    ),
    contentType: textUpTo(limits.nameLength)
      .default('')
      .describe('The media type with which the bytes are sent: the one that was said'),
    content: fileContent,
  }),
  output: noOutput,
  takesRoom: true,
  access: guard,
  needs: ['blobs', 'secrets', 'settings'],
  prepare: async (context, { token, contentType, content }) => {
    const { blobs, secrets, store, actor, now } = context
    const slot = await store.read(async (tx) => {
      const { scope } = await guard.enter(tx, actor, {})
      return findOpenSlot(tx, { token, now, userId: scope.userId })
    })
    const put = await putFile(blobs, content, slot.size)
    const { size, digest } = put
    const isPromised =
      wasSaid(secrets, token, { contentType }) || wasSaid(secrets, token, { contentType, digest })
    if (size !== slot.size || !isPromised) {
      await removeUnneeded(blobs, put.path)
      throw size === slot.size ? notAsSaid() : tooShort(slot.size, size)
    }
    const known = { ...slot, name: '', promisedType: contentType }
    await keepFile(context, put, known, async (tx) => {
      // Of two uploads at one time, one has the place.
      if (!(await tx.attachments.takeSlot(token))) throw noSuchSlot()
    })
  },
  run: async () => {},
})

/** The slot that the user asked for; `not_found` for one that is used or expired, or somebody else's. */
async function findOpenSlot(
  tx: ReadTx,
  { token, now, userId }: { readonly token: string; readonly now: string; readonly userId: string },
): Promise<UploadSlot> {
  const slot = await tx.attachments.findSlot(token)
  if (slot?.userId !== userId || slot.expiresTime <= now) throw noSuchSlot()
  return slot
}

function noSuchSlot(): DomainError {
  return new DomainError(
    'not_found',
    'No upload is expected for this token: a token works once, for the user who asked for it, until it expires',
  )
}

function notAsSaid(): DomainError {
  return invalidAt(
    ['content'],
    'must have the Content-Type, and the hash where there was one, that were given when the token was requested',
  )
}

function tooShort(said: number, size: number): DomainError {
  return invalidAt(
    ['content'],
    `must have ${said} bytes, as given when the token was requested: it has ${size}`,
  )
}
