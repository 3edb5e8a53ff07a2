import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { spaceOutput } from '../space.ts'
import { onSpace } from '../space-guard.ts'

/** Answers one space, with the caller's role in it. */
export const getSpace = defineRead({
  summary: 'Get a space',
  input: z.object({ spaceId: idSchema }),
  output: spaceOutput,
  access: onSpace('space|read'),
  run: async ({ space, role }) => ({
    id: space.id,
    name: space.name,
    role,
    version: space.version,
  }),
})
