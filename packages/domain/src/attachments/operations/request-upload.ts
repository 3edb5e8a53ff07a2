import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { toTimestamp } from '../../clock.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { toUploadToken } from '../upload-token.ts'
import { tooLarge } from './put-file.ts'

/** A media type, maybe with parameters behind it (RFC 9110): what can stand in a header, and ends none. */
const mediaTypeForm = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:[ \t]*;[\t\x20-\x7e]*)?$/

/** Gives out a token under which a file can be uploaded, once, by who asked for it. */
export const requestUpload = defineWrite({
  summary: 'Begin an upload',
  input: z.object({
    baseId: idSchema.describe('The base whose cells are to have the file'),
    type: z
      .literal(1, 'must be 1, for the cell of a table: others are not available yet')
      .describe('What the file is for: 1, a cell'),
    contentType: textUpTo(limits.nameLength)
      .regex(mediaTypeForm, 'must be a media type in ASCII, such as image/png')
      .describe('The media type with which the file will be sent'),
    contentLength: z.int().min(0).describe('The bytes that it has'),
    hash: textUpTo(64)
      .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the bytes, in lower-case hexadecimal')
      .optional()
      .describe('The SHA-256 of its bytes, which are then compared with it'),
    expiresIn: z
      .int()
      .min(1)
      .max(limits.uploadSlotSecondsMax)
      .default(limits.uploadSlotSeconds)
      .describe('Seconds in which the upload must have begun'),
  }),
  output: z
    .object({
      url: z.string().describe('Where the bytes are sent to: absolute, or a path of this server'),
      uploadMethod: z.literal('PUT').describe('How they are sent'),
      token: z.string().describe('Names the file'),
      requestHeaders: z
        .object({ 'Content-Type': z.string(), 'Content-Length': z.number() })
        .describe('To be sent with the bytes, beside the credentials'),
    })
    .meta({ id: 'UploadPlace' }),
  access: onBase('record|update'),
  needs: ['blobs', 'secrets', 'settings'],
  answers: 'secret',
  run: async ({ tx, now, base, userId, blobs, secrets, settings }, asked) => {
    if (blobs.refusal) throw blobs.refusal
    const { contentType, contentLength: size, hash: digest, expiresIn } = asked
    if (size > settings.maxAttachmentBytes) throw tooLarge(settings.maxAttachmentBytes)
    const token = toUploadToken(secrets, { contentType, digest })
    const expiresTime = toTimestamp(Date.parse(now) + expiresIn * 1_000)
    await tx.attachments.insertSlot({ token, spaceId: base.spaceId, userId, size, expiresTime })
    return {
      url: `${settings.publicUrl ?? ''}/api/attachments/upload/${token}`,
      uploadMethod: 'PUT' as const,
      token,
      requestHeaders: { 'Content-Type': contentType, 'Content-Length': size },
    }
  },
})
