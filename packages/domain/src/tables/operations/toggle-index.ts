import { z } from 'zod'
import { noOutput } from '../../answers/no-output.ts'
import { idSchema } from '../../ids.ts'
import { indexTypeSchema } from '../../indexes/index-type.ts'
import { findSearchIndex, unwantIndex, wantIndex } from '../../indexes/want-index.ts'
import { searchKey } from '../../schemas/search-key.ts'
import { defineWrite } from '../../use-case.ts'
import { onTableOfBase } from '../table-guard.ts'

/** Switches the index of searches off where there is one, else on: it is made or removed in the background. */
export const toggleIndex = defineWrite({
  summary: 'Switch the search index of a table on or off',
  input: z.object({ baseId: idSchema, tableId: idSchema, type: indexTypeSchema }),
  output: noOutput,
  access: onTableOfBase('table|update', 'update'),
  run: async (context) => {
    const { tx, table } = context
    const index = await findSearchIndex(tx, table.id)
    await tx.tables.chooseSearchIndex(table.id, index ? 'off' : 'on')
    if (index) await unwantIndex(context, index, table)
    else await wantIndex(context, table, searchKey)
  },
})
