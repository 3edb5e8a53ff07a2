import { z } from 'zod'
import { limits } from '../limits.ts'
import { storableTextUpTo } from '../values/storable-text.ts'
import { unlimited } from './unlimited.ts'

/** From the least to the most that a space can have. */
export const levels = ['free', 'pro', 'business', 'enterprise'] as const

/** What a space has a plan of. */
export type Level = (typeof levels)[number]

/** Whom products are for: people who use somebody's service, or who run one of their own. */
export const catalogs = ['cloud', 'self-hosted'] as const

const expecting = (what: string) => ({ error: `must be ${what}` })
const whole = (min: number, what: string) => z.int(expecting(what)).min(min, expecting(what))
const amount = whole(0, 'a whole number of the smallest unit of the currency, such as cents')
const days = whole(0, 'a whole number of days')
const most = whole(unlimited, 'a whole number, or -1 for no limit')
const flag = z.boolean(expecting('true or false'))
const word = storableTextUpTo(limits.shortTextLength).min(1)

const numbers = {
  maxRows: most.describe('Records in all tables of a space'),
  maxSizeAttachments: most.describe('Bytes of all files of a space'),
  maxNumAutomationRuns: most.describe('Runs of workflows in a month'),
  maxNumDatabaseConnections: most.describe('Connections to databases'),
  maxRevisionHistoryDays: most.describe('Days for which changes are kept'),
  maxAutomationHistoryDays: most.describe('Days for which runs of workflows are kept'),
  apiRateLimit: most.describe('Calls per second'),
  maxNumAutomationSendEmail: most.describe('Mails that workflows send in a month'),
}

const switches = {
  automationEnable: flag.describe('Workflows'),
  auditLogEnable: flag.describe('A log of what people did'),
  adminPanelEnable: flag.describe('A panel for administrators'),
  rowColoringEnable: flag.describe('Colours of rows'),
  buttonFieldEnable: flag.describe('Fields with buttons'),
  fieldAIEnable: flag.describe('Fields that a model fills in'),
  userGroupEnable: flag.describe('Groups of people'),
  advancedExtensionsEnable: flag.describe('More extensions'),
  advancedPermissionsEnable: flag.describe('Permissions that are set one by one'),
  passwordRestrictedSharesEnable: flag.describe('Shares with a password'),
  authenticationEnable: flag.describe('Login providers of its own'),
  domainVerificationEnable: flag.describe('Domains that are verified'),
  organizationEnable: flag.describe('Organizations'),
  chatAIEnable: flag.describe('A chat with a model'),
  appEnable: flag.describe('Apps'),
  customDomainEnable: flag.describe('A domain of its own'),
}

/** What a space of a level may have. Numbers end somewhere, or are -1 for no limit. */
export const planLimitsSchema = z
  .strictObject({
    ...numbers,
    ...switches,
    maxCollaborators: most
      .optional()
      .describe('People with a role in a space or a base of it; no limit when it is not there'),
  })
  .meta({ id: 'PlanLimits' })

/** What a space of a level may have, as the catalogue says it. */
export type PlanLimits = z.output<typeof planLimitsSchema>

const priceSchema = z
  .strictObject({
    id: word.describe('The id of the price'),
    legacyIds: z.array(word).max(limits.pricesPerProduct).describe('Ids that the price had before'),
    productId: word.describe('The product that it is of'),
    type: word.describe('How it is paid, such as `recurring`'),
    interval: z.enum(['month', 'year']).describe('What it is paid for'),
    intervalCount: whole(1, 'a whole number of months or years, 1 or more').describe(
      'How many of them at a time',
    ),
    unitAmount: amount.describe('In the smallest unit of the currency'),
    currency: z
      .string()
      .regex(/^[A-Za-z]{3}$/, expecting('the three letters of a currency'))
      .describe('Its three letters'),
  })
  .meta({ id: 'Price' })

const prices = z
  .array(priceSchema)
  .max(limits.pricesPerProduct)
  .describe('What it costs; nothing where there is none')

const productId = word.describe('The id of the product')
const catalog = z.enum(catalogs).describe('Whom it is for')
const trial = days.optional().describe('Days for which it can be tried')

/** A product that gives a space a level. */
export const baseProductSchema = z
  .strictObject({
    id: productId,
    type: z.literal('base').describe('What kind of product it is'),
    catalog,
    level: z.enum(levels).describe('The level that it gives a space'),
    limit: planLimitsSchema.describe('What a space of the level may have'),
    prices,
    trialPeriodInDays: trial,
    giftCredit: whole(0, 'a whole number').optional().describe('Credit that comes with it'),
    creditSubscribeEnable: flag.optional().describe('Whether more credit can be subscribed to'),
  })
  .meta({ id: 'BaseProduct' })
export type BaseProduct = z.output<typeof baseProductSchema>

/** A product that gives a space more of one thing. */
export const addOnProductSchema = z
  .strictObject({
    id: productId,
    type: z
      .enum(['credit', 'rowCount', 'attachmentSize', 'automationRun'])
      .describe('What it gives a space more of'),
    catalog,
    unitAmount: amount.describe('In the smallest unit of the currency'),
    prices,
    trialPeriodInDays: trial,
  })
  .meta({ id: 'AddOnProduct' })
export type AddOnProduct = z.output<typeof addOnProductSchema>
