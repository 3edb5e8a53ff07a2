import { anyone } from '../../access/guard.ts'
import { DomainError } from '../../errors.ts'
import { defineWrite } from '../../use-case.ts'
import {
  codeTradeSchema,
  findTraded,
  giveTokens,
  refreshTradeSchema,
  tradedOutput,
} from '../trade-input.ts'

/** Trades the code of a user for tokens, once, for whoever has the secret of the plugin. */
export const createPluginToken = defineWrite({
  summary: 'Trade the code of a user for tokens',
  input: codeTradeSchema,
  output: tradedOutput,
  answers: 'secret',
  access: anyone(),
  needs: ['secrets'],
  run: async (context, { baseId, scopes, authCode: traded, ...proof }) => {
    const grant = await findTraded(
      context,
      { ...proof, traded },
      (found) => found.accessHash === undefined && found.baseId === baseId,
    )
    return grant instanceof DomainError ? grant : giveTokens(context, grant, scopes)
  },
})

/** Trades a refresh token for new tokens, once; those of before are good for nothing any more. */
export const refreshPluginToken = defineWrite({
  summary: 'Trade a refresh token of a plugin for new tokens',
  input: refreshTradeSchema,
  output: tradedOutput,
  answers: 'secret',
  access: anyone(),
  needs: ['secrets'],
  run: async (context, { refreshToken: traded, ...proof }) => {
    const grant = await findTraded(
      context,
      { ...proof, traded },
      (found) => found.accessHash !== undefined,
    )
    return grant instanceof DomainError ? grant : giveTokens(context, grant, grant.scopes)
  },
})
