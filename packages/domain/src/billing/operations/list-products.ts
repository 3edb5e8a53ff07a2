import { z } from 'zod'
import { signedIn } from '../../access/guard.ts'
import { defineRead } from '../../use-case.ts'
import { addOnProductSchema, baseProductSchema } from '../product.ts'

/** Answers all that is sold. */
export const listProducts = defineRead({
  summary: 'Get all billing products',
  input: z.object({}),
  output: z.object({
    baseProducts: z.array(baseProductSchema),
    addOnProducts: z.array(addOnProductSchema),
  }),
  access: signedIn(),
  needs: ['plans'],
  run: async ({ plans }) => {
    const { baseProducts, addOnProducts } = plans.catalogue
    return { baseProducts, addOnProducts }
  },
})

/** Answers the products that give spaces a level. */
export const listBaseProducts = defineRead({
  summary: 'List the base products',
  input: z.object({}),
  output: z.array(baseProductSchema),
  access: signedIn(),
  needs: ['plans'],
  run: async ({ plans }) => plans.catalogue.baseProducts,
})

/** Answers the products that give spaces more of one thing. */
export const listAddOnProducts = defineRead({
  summary: 'List the add-on products',
  input: z.object({}),
  output: z.array(addOnProductSchema),
  access: signedIn(),
  needs: ['plans'],
  run: async ({ plans }) => plans.catalogue.addOnProducts,
})
