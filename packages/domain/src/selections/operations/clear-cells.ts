import { z } from 'zod'
import { showing } from '../../access/guard.ts'
import { noOutput } from '../../answers/no-output.ts'
import { lockRecords } from '../../records/reading/lock-records.ts'
import { Change } from '../../records/writing/change.ts'
import { writeRecords } from '../../records/writing/write-records.ts'
import { onTable } from '../../tables/table-guard.ts'
import { defineWrite } from '../../use-case.ts'
import { findSelection } from '../find-selection.ts'
import { isFilledByPeople } from '../is-filled-by-people.ts'
import { selectionShape } from '../selection-shape.ts'

/** Empties the cells of ranges of what a view shows: all of them or none. Those that nobody fills in stay as they are. */
export const clearCells = defineWrite({
  summary: 'Empty cells',
  input: z.object(selectionShape),
  output: noOutput,
  // Held alone, so that what is emptied is what is found.
  access: showing(onTable('record|update', 'update'), 'record|read'),
  matchesEach: true,
  run: async (context, input) => {
    const { columns, recordIds } = await findSelection(context, input)
    const { fieldKeyType } = input
    const keys = columns.filter(isFilledByPeople).map(({ field }) => field[fieldKeyType])
    if (keys.length === 0 || recordIds.length === 0) return
    const change = new Change(await lockRecords(context, recordIds))
    const fields = Object.fromEntries(keys.map((key) => [key, null]))
    const sent = recordIds.map(() => ({ fields }))
    const pathOf = () => ['ranges']
    await writeRecords(context, change, sent, { fieldKeyType, typecast: false, pathOf })
  },
})
