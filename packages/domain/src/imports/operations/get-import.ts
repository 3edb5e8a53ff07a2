import { z } from 'zod'
import { onBase } from '../../bases/base-guard.ts'
import { notFound } from '../../errors.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { importOutput, toImportOutput } from '../import.ts'

/** Says how far an import is, and what was wrong with its rows. */
export const getImport = defineRead({
  summary: 'Get an import',
  input: z.object({ baseId: idSchema, importId: idSchema }),
  output: importOutput,
  access: onBase('base|table_import'),
  run: async ({ tx, base, now }, { importId }) => {
    const found = await tx.imports.find(importId)
    const isThere = found?.baseId === base.id && found.tableId !== null
    const isKept = found?.state === 'running' || (found?.expiresTime ?? '') > now
    if (!found || !isThere || !isKept) throw notFound('import', importId)
    return toImportOutput(found)
  },
})
