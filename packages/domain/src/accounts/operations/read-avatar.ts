import { z } from 'zod'
import { anyone } from '../../access/guard.ts'
import { ServedFile } from '../../attachments/served-file.ts'
import { thumbnailType } from '../../attachments/thumbnails/thumbnail.ts'
import { DomainError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { storableTextUpTo } from '../../values/storable-text.ts'

/** Answers a picture by what its URL ends with: whoever was shown the URL may look at it, for as long as it is the user's. */
export const readAvatar = defineRead({
  summary: "Read a user's picture by its URL",
  input: z.object({
    path: storableTextUpTo(limits.shortTextLength).describe(
      'What the URL of the picture ends with',
    ),
  }),
  output: z.instanceof(ServedFile).meta({ type: 'string', format: 'binary' }),
  access: anyone(),
  needs: ['blobs'],
  run: async ({ tx, blobs }, { path: id }) => {
    const avatar = await tx.avatars.find(id)
    if (!avatar) {
      throw new DomainError(
        'not_found',
        'There is no picture at this URL: its user has another one now, or none',
      )
    }
    const facts = { name: 'avatar.webp', mimetype: thumbnailType, size: avatar.size }
    return new ServedFile(facts, (range) => blobs.read(avatar.path, range))
  },
})
