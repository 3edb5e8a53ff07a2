import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { baseOutput, toBaseOutput } from '../base.ts'
import { onBase } from '../base-guard.ts'

/** Answers one base, with the caller's role in it. */
export const getBase = defineRead({
  summary: 'Get a base',
  input: z.object({ baseId: idSchema }),
  output: baseOutput,
  access: onBase('base|read'),
  run: async ({ base, role }) => ({ ...toBaseOutput(base, role), version: base.version }),
})
