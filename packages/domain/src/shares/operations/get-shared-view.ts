import { z } from 'zod'
import { limits } from '../../limits.ts'
import { defineRead } from '../../use-case.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import { shareMetaOutput } from '../../views/view-share.ts'
import { listShown } from '../list-shown.ts'
import { onShare } from '../share-guard.ts'
import { shareId } from '../share-query.ts'
import { sharedFieldOutput, toSharedField } from '../shared-field.ts'
import { sharedRecordOutput } from '../shared-record.ts'
import { sharedFields, sharedViewOutput, toSharedView } from '../shared-view.ts'

/** Answers what a page needs that shows a share: the view, its fields and its first records. */
export const getSharedView = defineRead({
  summary: 'Open a share',
  input: z.object({ shareId }),
  output: z.object({
    shareId: z.string().describe('The id of the share'),
    tableId: z.string().describe('The id of its table'),
    viewId: z.string().describe('The id of its view'),
    shareMeta: shareMetaOutput.describe('What visitors may see and do'),
    view: sharedViewOutput,
    fields: z.array(sharedFieldOutput).describe('The fields that are shown, in their order'),
    records: z
      .array(sharedRecordOutput)
      .describe('The first records, with fields named by their ids; none where none are shown'),
  }),
  access: onShare(),
  needs: ['secrets'],
  run: async (context, input) => {
    const { tx, table, view, meta, only } = context
    const shown = shownSchema(await tx.fields.schemaOf(table), only)
    const first = { fieldKeyType: 'id', cellFormat: 'json', skip: 0 } as const
    const take = limits.recordsOfSharedView
    const { records } = meta.includeRecords
      ? await listShown(
          context,
          { ...first, take },
          { bytes: limits.sharedViewBytes, withGroups: false },
        )
      : { records: [] }
    return {
      shareId: input.shareId,
      tableId: table.id,
      viewId: view.id,
      shareMeta: meta,
      view: toSharedView(view, shown),
      fields: sharedFields(view, shown).map(toSharedField),
      records: [...records],
    }
  },
})
