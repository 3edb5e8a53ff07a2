import { z } from 'zod'
import { requireScope, requiringRole, showing } from '../../access/guard.ts'
import { TextStream } from '../../answers/text-stream.ts'
import { onBase } from '../../bases/base-guard.ts'
import { invalidAt } from '../../errors.ts'
import { toExportFileName } from '../../exports/export-file-name.ts'
import { idSchema } from '../../ids.ts'
import { defineRead, LateRead } from '../../use-case.ts'
import { writeArchive } from '../writing/write-archive.ts'

/** What kind of text an archive is. */
const archiveType = 'application/x-ndjson'

const input = z.object({
  baseId: idSchema,
  includeData: z
    .boolean()
    .default(true)
    .describe('Whether records come along, with their links and files'),
  includeHistory: z
    .boolean()
    .default(false)
    .describe('Whether it comes along who changed which cell of the records, where that is kept'),
  includeTrash: z
    .boolean()
    .default(false)
    .describe(
      'Whether the trash of the base and of its tables comes along, from which all can be restored',
    ),
})

const access = requiringRole(showing(onBase('base|read_all'), 'base|table_export'), 'owner')

/** Exports a base as an archive, from which it can be made again here or elsewhere. */
export const exportBase = defineRead({
  summary: 'Export a base as an archive',
  input,
  output: z.instanceof(TextStream),
  access,
  needs: ['blobs', 'secrets'],
  run: async ({ base, actor, blobs, secrets }, sent) => {
    const { baseId, includeData, includeHistory, includeTrash } = sent
    if (includeHistory) requireScope(actor, 'table_record_history|read')
    if (includeTrash) requireScope(actor, 'table|trash_read')
    for (const member of ['includeHistory', 'includeTrash'] as const) {
      if (!sent[member] || includeData) continue
      throw invalidAt([member], 'must be false where includeData is: it has records, or is of them')
    }
    return new LateRead(async (store) => {
      const parts = writeArchive({
        blobs,
        secrets,
        includeData,
        includeHistory,
        includeTrash,
        // Asked again for each part: whoever may no longer export gets no further one.
        read: (work) =>
          store.read(async (tx) => {
            const { scope } = await access.enter(tx, actor, { baseId })
            return work(tx, scope.base)
          }),
      })
      const about = { fileName: toExportFileName([base.name], 'gateleg'), mediaType: archiveType }
      return new TextStream(about, parts)
    })
  },
})
