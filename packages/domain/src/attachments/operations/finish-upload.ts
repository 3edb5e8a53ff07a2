import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { assert, DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { storableTextUpTo, textUpTo } from '../../values/storable-text.ts'
import { toFileName } from '../files/file-name.ts'

/** Answers what is known of a file that was uploaded: what an item of a cell needs, and a URL by which it is read. */
export const finishUpload = defineRead({
  summary: 'Finish an upload',
  input: z.object({
    token: storableTextUpTo(limits.shortTextLength).describe(
      'The token that was given out for the file',
    ),
    filename: textUpTo(limits.shortTextLength).optional().describe('What the file is called'),
  }),
  output: z
    .object({
      name: z.string().describe('What the file is called: the last part of what was said'),
      token: z.string().describe('Names the file where records are written'),
      size: z.number().describe('Bytes'),
      url: z.string().describe('The same as `presignedUrl`'),
      path: z.string().describe('Where its bytes are kept'),
      mimetype: z.string().describe('What it is, by its content'),
      width: z.number().optional().describe('Pixels of an image'),
      height: z.number().optional().describe('Pixels of an image'),
      presignedUrl: z.string().describe('Where it is read for a time, until a cell has it'),
    })
    .meta({ id: 'UploadedFile' }),
  access: signedIn({ action: 'record|update' }),
  run: async ({ tx, userId, fileUrls }, { token, filename = '' }) => {
    const file = await tx.attachments.find(token)
    if (file?.createdBy !== userId) throw nothingUploaded()
    assert(fileUrls, 'who is signed in is shown URLs')
    const { size, path, mimetype, width, height } = file
    const url = fileUrls.urlOfUpload({ token, path })
    const image = width === null || height === null ? {} : { width, height }
    const name = toFileName(filename)
    return { name, token, size, url, path, mimetype, ...image, presignedUrl: url }
  },
})

function nothingUploaded(): DomainError {
  return new DomainError('not_found', 'No file of yours was uploaded under this token')
}
