import { z } from 'zod'

/** The output of a use case that answers nothing; over HTTP, an empty body. */
export const noOutput = z.void()
