import { z } from 'zod'
import { findSelection } from '../../selections/find-selection.ts'
import { projectionShape, rangesShape } from '../../selections/selection-shape.ts'
import { textOfCells } from '../../selections/text-of-cells.ts'
import { defineRead } from '../../use-case.ts'
import { onCopiedShare } from '../share-guard.ts'
import { ownViewShape, requireOwnView, shareQueryShape, shareSortShape } from '../share-query.ts'
import { sharedFieldOutput, toSharedField } from '../shared-field.ts'

/** Answers the cells of ranges of what a share shows, as the text that spreadsheets put on the clipboard. */
export const copySharedCells = defineRead({
  summary: 'Copy cells of a share',
  input: z.object({
    ...shareQueryShape,
    ...ownViewShape,
    ...shareSortShape,
    ...projectionShape,
    ...rangesShape,
  }),
  output: z.object({
    content: z
      .string()
      .describe('The cells as people read them, with tabs between them and line breaks after rows'),
    header: z.array(sharedFieldOutput).describe('The field of each column'),
  }),
  access: onCopiedShare(),
  endsAtLength: true,
  run: async (context, input) => {
    requireOwnView(context, input)
    const selection = await findSelection({ ...context, userId: '' }, input)
    const content = await textOfCells(context, selection)
    return { content, header: selection.columns.map(toSharedField) }
  },
})
