import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { onRecord } from '../../records/record-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { textUpTo } from '../../values/storable-text.ts'
import { toFileName } from '../files/file-name.ts'
import { fileSourceSchema } from '../files/file-source.ts'
import { removeUnneeded } from '../unused/remove-unneeded.ts'
import { filesIn, requireFileField, requireRoom } from './file-field.ts'
import { filesRecordOutput } from './files-record-output.ts'
import { insertFiles } from './insert-files.ts'
import { noteFile, putForSpace, removeSpare } from './note-file.ts'
import type { PutFile } from './put-file.ts'
import { putFromUrl } from './put-from-url.ts'

/** Asks the same as the operation's own guard, of a snapshot: before anything of the file is taken. */
const guard = onRecord('record|update')

/** Stores a file, one that is sent or one that is fetched, and puts it at the end of a cell. */
export const uploadAttachment = defineWrite({
  summary: 'Upload a file into a cell',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    fieldId: idSchema,
    file: fileSourceSchema.optional().describe('The file; its type is found by its content'),
    fileUrl: textUpTo(limits.fileUrlLength)
      .optional()
      .describe(
        'Where the service fetches the file: a public address, over http or https. A file that is sent goes before it',
      ),
  }),
  output: filesRecordOutput,
  access: onRecord('record|update', 'update'),
  needs: ['blobs', 'fileFetcher', 'secrets', 'settings'],
  prepare: async (context, input) => {
    const { file, fileUrl } = input
    const path = [file || fileUrl === undefined ? 'file' : 'fileUrl']
    const { secrets } = context
    const owner = await context.store.read(async (tx) => {
      const { scope } = await guard.enter(tx, context.actor, input)
      requireRoom(filesIn(scope.record, requireFileField(scope.schema, input.fieldId)), 1, path)
      return { spaceId: scope.base.spaceId, userId: scope.userId }
    })
    const prepared = (put: PutFile, name: string) => {
      return { put, path, file: { ...owner, token: secrets.token(), name, isAttached: true } }
    }
    if (file) return prepared(await putForSpace(context, file, owner.spaceId), file.name)
    if (fileUrl === undefined) {
      throw invalidAt(path, 'is required: send a file, or a fileUrl from which the file is fetched')
    }
    const { put, name } = await putFromUrl(context, fileUrl, owner)
    return prepared(put, name)
  },
  abandon: ({ blobs }, { put }) => removeUnneeded(blobs, put.path),
  run: async (context, { fieldId }) => {
    const { put, path, file } = context.prepared
    const stored = await noteFile(context, put, file)
    context.afterCommit(() => removeSpare(context.blobs, put, stored))
    const { token, name } = file
    const storedFiles = new Map([[token, stored]])
    const withFile = { ...context, storedFiles }
    return insertFiles(withFile, { fieldId, path }, [{ token, name: toFileName(name) }])
  },
})
