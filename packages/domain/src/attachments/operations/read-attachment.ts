import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { anyone } from '../../access/guard.ts'
import { toTokenActor } from '../../access-tokens/access-token.ts'
import { DomainError } from '../../errors.ts'
import { type AttachmentItem, isAttachmentItem } from '../../fields/types/attachment.ts'
import {
  type FilePlace,
  type FileReader,
  readFileToken,
  type UploadedPlace,
} from '../../file-urls.ts'
import { idPrefixes } from '../../ids/id-prefixes.ts'
import { limits } from '../../limits.ts'
import { findAppActor } from '../../oauth-grants/grant-tokens.ts'
import { findGrantActor } from '../../plugin-grants/grant-actor.ts'
import { findPageActor, findPageTokenOf } from '../../plugin-grants/page-token.ts'
import type { Ports } from '../../ports.ts'
import { onRecord } from '../../records/record-guard.ts'
import { cellOf } from '../../records/stored/cell-of.ts'
import type { ReadTx } from '../../store.ts'
import { defineRead, LateRead } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { askedDispositionSchema } from '../files/asked-disposition.ts'
import { toFileName } from '../files/file-name.ts'
import { ServedFile } from '../served-file.ts'
import { hasThumbnails, thumbnailKinds, thumbnailType } from '../thumbnails/thumbnail.ts'
import { findThumbnail, type ThumbnailRequest } from './find-thumbnail.ts'

/** Who is shown a cell may read its files; they are asked again what they may. */
const guard = onRecord('record|read')

/**
 * Answers a file by its URL. It is read while the URL has not expired, who was shown it may read the record, and the cell has
 * the file: so it ends with the right that it was made by.
 */
export const readAttachment = defineRead({
  summary: 'Read a file by its URL',
  input: z.object({
    path: textUpTo(limits.shortTextLength).describe('The path of the file in its item'),
    token: textUpTo(limits.shortTextLength).describe('What `presignedUrl` says of it'),
    thumbnail: z
      .enum(thumbnailKinds)
      .optional()
      .describe('Which thumbnail of an image, as `smThumbnailUrl` and `lgThumbnailUrl` say'),
    'response-content-disposition': askedDispositionSchema
      .optional()
      .describe(
        'Whether it is shown or saved, and under which name: `attachment; filename="a.txt"`. What a browser could run is never shown',
      ),
  }),
  output: z.instanceof(ServedFile).meta({ type: 'string', format: 'binary' }),
  access: anyone(),
  needs: ['secrets', 'blobs', 'thumbnails'],
  run: async (
    { tx, now, secrets, blobs, thumbnails, signal },
    { path, token, thumbnail, 'response-content-disposition': disposition },
  ) => {
    const signed = readFileToken(secrets, path, token)
    if (!signed) throw noSuchUrl()
    if (!(signed.expiresMs > Date.parse(now))) throw expired()
    const actor = await actorOf(tx, signed, now)
    const item = actor && (await findItem(tx, actor, signed))
    if (!item) throw noSuchUrl()
    const { name, mimetype, size } = item
    if (thumbnail !== undefined) {
      if (!hasThumbnails(item, thumbnails.types)) throw noThumbnail()
      const request = { path, mimetype, size, kind: thumbnail, userId: signed.userId, signal }
      return new LateRead(async (store) => {
        const served = await toThumbnail({ store, blobs, thumbnails }, request, name)
        return served.as(disposition)
      })
    }
    // Read later: the transaction waits for nothing but the storage.
    const served = new ServedFile({ name, mimetype, size }, (range) => blobs.read(path, range))
    return served.as(disposition)
  },
})

async function toThumbnail(
  ports: Pick<Ports, 'store' | 'blobs' | 'thumbnails'>,
  request: ThumbnailRequest,
  name: string,
): Promise<ServedFile> {
  const found = await findThumbnail(ports, request)
  if (!found?.path) throw noThumbnail()
  const { path, size } = found
  const facts = { name: `${name}.webp`, mimetype: thumbnailType, size, form: request.kind }
  return new ServedFile(facts, (range) => ports.blobs.read(path, range))
}

async function actorOf(
  tx: ReadTx,
  { userId, tokenId }: FileReader,
  now: string,
): Promise<Actor | undefined> {
  if (tokenId === undefined) return { kind: 'user', userId }
  const page = findPageTokenOf(userId, tokenId)
  if (page) return findPageActor(tx, page, now)
  if (tokenId.startsWith(idPrefixes.pluginGrant)) {
    const grant = await tx.pluginGrants.find(tokenId)
    return grant?.userId === userId ? findGrantActor(tx, grant, now) : undefined
  }
  if (tokenId.startsWith(idPrefixes.oauthGrant)) {
    const grant = await tx.oauthGrants.find(tokenId)
    return grant?.userId === userId ? findAppActor(tx, grant, now) : undefined
  }
  const token = await tx.accessTokens.find(tokenId)
  return token && token.userId === userId && token.expiresTime > now
    ? toTokenActor(token)
    : undefined
}

type FoundFile = Pick<AttachmentItem, 'name' | 'mimetype' | 'size'>

async function findItem(
  tx: ReadTx,
  actor: Actor,
  { tableId, recordId, fieldId, itemId, path }: FilePlace,
): Promise<FoundFile | undefined> {
  if (tableId === '') return findUploaded(tx, actor, { token: itemId, path })
  const passage = await guard.enter(tx, actor, { tableId, recordId }).catch(orAbsent)
  if (!passage) return undefined
  const { schema, record } = passage.scope
  const schemaField = schema.byKey.id.get(fieldId)
  const cell = schemaField && cellOf(schemaField, record)
  const items = [cell].flat(2).filter(isAttachmentItem)
  return items.find((item) => item.id === itemId && item.path === path)
}

/** A file that no cell has yet: its uploader's alone. */
async function findUploaded(
  tx: ReadTx,
  actor: Actor,
  { token, path }: UploadedPlace,
): Promise<FoundFile | undefined> {
  const file = await tx.attachments.find(token)
  const isOwn =
    actor.kind !== 'anonymous' && actor.kind !== 'share' && file?.createdBy === actor.userId
  if (!file || !isOwn || file.attachedTime !== null || file.path !== path) return undefined
  return { name: toFileName(''), mimetype: file.mimetype, size: file.size }
}

/** Of what the reader may not read any more nobody is told that it is there. */
function orAbsent(error: unknown): undefined {
  if (error instanceof DomainError && ['absent', 'forbidden'].includes(error.kind)) return undefined
  throw error
}

function noSuchUrl(): DomainError {
  return new DomainError(
    'not_found',
    'There is no file at this URL: read the record again, which has the current URLs',
  )
}

function noThumbnail(): DomainError {
  return new DomainError(
    'not_found',
    'The file has no thumbnails: it is not an image, or none could be made',
  )
}

function expired(): DomainError {
  return new DomainError(
    'restricted_resource',
    'The URL has expired: read the record again, which has new URLs for its files',
  )
}
