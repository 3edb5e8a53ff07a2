import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { type FileSource, fileSourceSchema } from '../../attachments/files/file-source.ts'
import { type ImageSize, imageSizeOf } from '../../attachments/files/image-size.ts'
import { sniffType } from '../../attachments/files/sniff-type.ts'
import { type PutFile, putBytes, putFile } from '../../attachments/operations/put-file.ts'
import { storedBytes } from '../../attachments/operations/stored-bytes.ts'
import { hasThumbnails } from '../../attachments/thumbnails/thumbnail.ts'
import type { ThumbnailSource } from '../../attachments/thumbnails/thumbnail-maker.ts'
import { removeUnneeded } from '../../attachments/unused/remove-unneeded.ts'
import { DomainError, invalidAt } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Ports } from '../../ports.ts'
import type { WriteTx } from '../../store.ts'
import { type CallContext, defineWrite } from '../../use-case.ts'
import { reserve } from '../attempts/try-limits.ts'
import { onOwnAccount } from '../users/account-guard.ts'
import { initialsAvatar } from '../users/initials-avatar.ts'
import type { User } from '../users/user.ts'

/** Pixels that a picture has at most: sharp where a front end shows it large, and few bytes where a list shows many. */
const pictureSize: ImageSize = { width: 256, height: 256 }

const access = onOwnAccount({ sessionOnly: true, lock: 'update' })

/** Asks the same before a byte of the image is taken, and locks nothing: it takes long to come in. */
const earlyAccess = onOwnAccount({ sessionOnly: true })

/** Replaces the picture of the caller by what is made of an image: never the bytes that were sent. */
export const changeAvatar = defineWrite({
  summary: 'Change my picture',
  input: z.object({
    file: fileSourceSchema.describe('An image: JPEG, PNG, WebP, GIF or AVIF, by its content'),
  }),
  output: noOutput,
  access,
  needs: ['blobs', 'thumbnails', 'secrets'],
  prepare: async (context, { file }) => {
    const { store, actor, now } = context
    const userId = await store.write(async (tx) => {
      const { scope } = await earlyAccess.enter(tx, actor, {})
      await reserve({ tx, now }, `avatar:${scope.userId}`, {
        most: limits.avatarChanges,
        minutes: limits.avatarChangeMinutes,
      })
      return scope.userId
    })
    return putPicture(context, file, userId)
  },
  abandon: ({ blobs }, { path }) => removeUnneeded(blobs, path),
  run: async (context, _input) => {
    const { tx, user, secrets, prepared } = context
    const id = secrets.token()
    await tx.avatars.replace({ id, userId: user.id, ...prepared })
    await change(context, user, id)
  },
})

/** Has the caller shown by their initials again. */
export const removeAvatar = defineWrite({
  summary: 'Remove my picture',
  input: z.object({}),
  output: noOutput,
  access,
  run: async (context) => {
    const { tx, user } = context
    if (await tx.avatars.deleteOfUser(user.id)) await change(context, user, initialsAvatar(user))
  },
})

async function change(
  { tx, now }: Pick<CallContext, 'now'> & { readonly tx: WriteTx },
  user: User,
  avatar: string,
): Promise<void> {
  const { id: userId, version } = user
  await tx.users.update({ ...user, avatar, version: version + 1 })
  tx.emit({ name: 'user.updated', time: now, userId, payload: { userId } })
}

/** Makes a picture of a file that comes in, and stores it; nobody knows of it yet. Nothing of the file itself stays. */
async function putPicture(
  { blobs, thumbnails, signal }: Pick<Ports, 'blobs' | 'thumbnails'> & Pick<CallContext, 'signal'>,
  file: FileSource,
  userId: string,
): Promise<{ readonly path: string; readonly size: number }> {
  const sent = await putFile(blobs, file.stream(), limits.avatarFileBytes)
  try {
    const type = requireImage(sent, thumbnails.types)
    const [made] =
      (await thumbnails.inTurn(userId, async (make) => {
        signal?.throwIfAborted()
        // As they are stored, and not from the caller: who sends slowly keeps nobody else's turn.
        return make({ type, size: sent.size, bytes: storedBytes(blobs, sent) }, [pictureSize])
      })) ?? []
    if (!made) throw notReadable(type)
    const { path, size } = await putBytes(blobs, made)
    return { path, size }
  } finally {
    await removeUnneeded(blobs, sent.path)
  }
}

/** The type of an image of which a picture can be made, as far as its first bytes tell. */
function requireImage(
  { head, size }: PutFile,
  types: ReadonlySet<string>,
): ThumbnailSource['type'] {
  if (types.size === 0) {
    throw new DomainError('restricted_resource', 'This service reads no images, and keeps none')
  }
  const mimetype = sniffType(head, '')
  if (!types.has(mimetype)) throw invalidAt(['file'], `must be one of ${[...types].join(', ')}`)
  const { width, height } = imageSizeOf(head, mimetype) ?? {}
  if (!hasThumbnails({ mimetype, size, width, height }, types)) throw notReadable(mimetype)
  return mimetype
}

function notReadable(type: string): DomainError {
  return invalidAt(
    ['file'],
    `must be an image that can be read: this ${type} is broken, or takes too much (${limits.thumbnailPixels} pixels at most)`,
  )
}
