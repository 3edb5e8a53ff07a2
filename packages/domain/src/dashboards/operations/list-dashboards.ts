import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { boardOutput } from '../../boards/board.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'

/** Lists the dashboards of a base, oldest first. */
export const listDashboards = defineRead({
  summary: 'List dashboards',
  input: z.object({ baseId: idSchema }),
  output: z.array(boardOutput),
  access: onBase('base|read'),
  run: async ({ tx, base }) =>
    (await tx.dashboards.listNamesOf(base.id)).map(({ id, name }) => ({ id, name })),
})
