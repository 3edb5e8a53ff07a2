import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { fieldOutput, toFieldOutput } from '../../fields/field-output.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineRead } from '../../use-case.ts'
import { findSelection } from '../find-selection.ts'
import { selectionShape } from '../selection-shape.ts'
import { textOfCells } from '../text-of-cells.ts'

/** Answers the cells of ranges of what a view shows, as the text that spreadsheets put on the clipboard. */
export const copyCells = defineRead({
  summary: 'Copy cells',
  input: z.object(selectionShape),
  output: z.object({
    content: z
      .string()
      .describe('The cells as people read them, with tabs between them and line breaks after rows'),
    header: z.array(fieldOutput).describe('The field of each column'),
  }),
  access: showing(onTable('record|read'), 'field|read'),
  endsAtLength: true,
  run: async (context, input) => {
    const selection = await findSelection(context, input)
    const content = await textOfCells(context, selection)
    const header = selection.columns.map(({ field }) => toFieldOutput(field))
    return { content, header }
  },
})
