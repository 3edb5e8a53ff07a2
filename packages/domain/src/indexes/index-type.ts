import { z } from 'zod'

/** The kinds of indexes that people switch on and off. */
export const indexTypeSchema = z
  .enum(['search'])
  .describe('`search`: the index with which searches find what may show a text')
