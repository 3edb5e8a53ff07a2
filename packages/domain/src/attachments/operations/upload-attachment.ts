import { z } from 'zod'
import { invalidAt } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { onRecord } from '../../records/record-guard.ts'
import { recordOutput } from '../../records/record-output.ts'
import { defineWrite } from '../../use-case.ts'
import { toFileName } from '../file-name.ts'
import { fileSourceSchema } from '../file-source.ts'
import { filesIn, requireFileField, requireRoom } from './file-field.ts'
import { insertFiles } from './insert-files.ts'
import { storeFile } from './store-file.ts'

/** Asks the same as the operation's own guard, of a snapshot: before anything of the file is taken. */
const guard = onRecord('record|update')

/** Stores a file and puts it at the end of a cell. */
export const uploadAttachment = defineWrite({
  summary: 'Upload a file into a cell',
  input: z.object({
    tableId: idSchema,
    recordId: idSchema,
    fieldId: idSchema,
    file: fileSourceSchema.optional().describe('The file; its type is found by its content'),
  }),
  output: recordOutput,
  access: onRecord('record|update', 'update'),
  needs: ['blobs', 'secrets', 'settings'],
  prepare: async (context, input) => {
    const { file } = input
    const owner = await context.store.read(async (tx) => {
      const { scope } = await guard.enter(tx, context.actor, input)
      requireRoom(filesIn(scope.record, requireFileField(scope.schema, input.fieldId)), 1, ['file'])
      return { spaceId: scope.base.spaceId, userId: scope.userId }
    })
    if (!file) throw invalidAt(['file'], 'is required: a file')
    const { token } = await storeFile(context, file, owner)
    return { token, name: toFileName(file.name) }
  },
  run: (context, { fieldId }) =>
    insertFiles(context, { fieldId, path: ['file'] }, [context.prepared]),
})
