import type { Catalogue } from './catalogue.ts'
import type { AddOnProduct, BaseProduct, PlanLimits } from './product.ts'
import { unlimited } from './unlimited.ts'

/** All that there is, without an end. */
const everything: PlanLimits = {
  maxRows: unlimited,
  maxSizeAttachments: unlimited,
  maxNumAutomationRuns: unlimited,
  maxNumDatabaseConnections: unlimited,
  maxRevisionHistoryDays: unlimited,
  maxAutomationHistoryDays: unlimited,
  apiRateLimit: unlimited,
  maxNumAutomationSendEmail: unlimited,
  automationEnable: true,
  auditLogEnable: true,
  adminPanelEnable: true,
  rowColoringEnable: true,
  buttonFieldEnable: true,
  fieldAIEnable: true,
  userGroupEnable: true,
  advancedExtensionsEnable: true,
  advancedPermissionsEnable: true,
  passwordRestrictedSharesEnable: true,
  authenticationEnable: true,
  domainVerificationEnable: true,
  organizationEnable: true,
  chatAIEnable: true,
  appEnable: true,
  customDomainEnable: true,
}

/** What larger teams pay for. */
const offForTeams = {
  auditLogEnable: false,
  adminPanelEnable: false,
  userGroupEnable: false,
  authenticationEnable: false,
  domainVerificationEnable: false,
  organizationEnable: false,
  customDomainEnable: false,
}

const gigabyte = 1_000_000_000

const limitsByLevel = {
  free: {
    ...everything,
    ...offForTeams,
    maxRows: 3_000,
    maxSizeAttachments: gigabyte,
    maxNumAutomationRuns: 100,
    maxNumDatabaseConnections: 0,
    maxRevisionHistoryDays: 14,
    maxAutomationHistoryDays: 14,
    apiRateLimit: 5,
    maxNumAutomationSendEmail: 100,
    advancedExtensionsEnable: false,
    advancedPermissionsEnable: false,
    passwordRestrictedSharesEnable: false,
    buttonFieldEnable: false,
    fieldAIEnable: false,
    appEnable: false,
  },
  pro: {
    ...everything,
    ...offForTeams,
    maxRows: 250_000,
    maxSizeAttachments: 100 * gigabyte,
    maxNumAutomationRuns: 10_000,
    maxNumDatabaseConnections: 10,
    maxRevisionHistoryDays: 365,
    maxAutomationHistoryDays: 365,
    apiRateLimit: 20,
    maxNumAutomationSendEmail: 5_000,
  },
  business: {
    ...everything,
    maxRows: 1_000_000,
    maxSizeAttachments: 500 * gigabyte,
    maxNumAutomationRuns: 100_000,
    maxNumDatabaseConnections: 50,
    maxRevisionHistoryDays: 1_095,
    maxAutomationHistoryDays: 1_095,
    apiRateLimit: 50,
    maxNumAutomationSendEmail: 50_000,
  },
  enterprise: everything,
} as const satisfies Record<BaseProduct['level'], PlanLimits>

/** A product whose prices are those of a month, and ten of them for a year. */
function pricesOf(productId: string, cents: number): BaseProduct['prices'] {
  const price = { legacyIds: [], productId, type: 'recurring', intervalCount: 1, currency: 'usd' }
  return [
    { ...price, id: `${productId}-month`, interval: 'month', unitAmount: cents },
    { ...price, id: `${productId}-year`, interval: 'year', unitAmount: 10 * cents },
  ]
}

function sold(level: BaseProduct['level'], cents: number, giftCredit: number): BaseProduct {
  const id = `cloud-${level}`
  return {
    id,
    type: 'base',
    catalog: 'cloud',
    level,
    limit: limitsByLevel[level],
    prices: pricesOf(id, cents),
    trialPeriodInDays: 14,
    giftCredit,
    creditSubscribeEnable: true,
  }
}

function addOn(type: AddOnProduct['type'], unitAmount: number): AddOnProduct {
  const id = `cloud-${type}`
  const prices = pricesOf(id, unitAmount)
  return { id, type, catalog: 'cloud', unitAmount, prices, trialPeriodInDays: 0 }
}

/**
 * The catalogue of an instance that has none of its own: examples of products, and for every space the level that
 * has everything without an end.
 */
export const defaultCatalogue: Catalogue = {
  baseProducts: [
    {
      id: 'cloud-free',
      type: 'base',
      catalog: 'cloud',
      level: 'free',
      limit: limitsByLevel.free,
      prices: [],
      trialPeriodInDays: 0,
      giftCredit: 200,
      creditSubscribeEnable: false,
    },
    sold('pro', 1_000, 1_000),
    sold('business', 2_000, 2_000),
    {
      id: 'self-hosted-enterprise',
      type: 'base',
      catalog: 'self-hosted',
      level: 'enterprise',
      limit: limitsByLevel.enterprise,
      prices: [],
      trialPeriodInDays: 0,
      giftCredit: 0,
      creditSubscribeEnable: false,
    },
  ],
  addOnProducts: [
    addOn('credit', 1_000),
    addOn('rowCount', 500),
    addOn('attachmentSize', 500),
    addOn('automationRun', 500),
  ],
  plans: { catalog: 'self-hosted', level: 'enterprise' },
}
