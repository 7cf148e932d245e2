import { add, type PythonNumber, subtract } from './python-json.js';
import { Refusal } from './refusal.js';
import type { RetailDatabase } from './retail-database.js';
import { readAmount, readRow, readRows, readText, readTruth, type Row } from './row.js';

/** Items of an order, and in the same places the items of the same products that are to replace them. */
export interface ItemSwap {
  readonly itemIds: readonly string[];
  readonly newItemIds: readonly string[];
}

/**
 * What the new items cost more than the old ones, not rounded; below zero where they cost less. Refuses
 * items that the order has not, or not as often, and new ones that are not to be had.
 */
export function priceDifferenceOf(database: RetailDatabase, order: Row, swap: ItemSwap): PythonNumber {
  const missing = findMissingItem(order, swap.itemIds);
  if (missing !== undefined) throw new Refusal(`${missing} not found`);
  if (swap.itemIds.length !== swap.newItemIds.length) {
    throw new Refusal('the number of items to be exchanged should match');
  }
  return pairsOf(swap)
    .map(([itemId, newItemId]) => {
      const item = getItem(order, itemId);
      return subtract(
        readAmount(getAvailable(database, item, newItemId), 'price'),
        readAmount(item, 'price'),
      );
    })
    .reduce(add, 0n);
}

/** An item that is named more often than the order has it. */
export function findMissingItem(order: Row, itemIds: readonly string[]): string | undefined {
  const present = readRows(order, 'items').map((item) => readText(item, 'item_id'));
  return itemIds.find((id) => count(itemIds, id) > count(present, id));
}

/** Puts the new items in the places of the old ones, one after the other. */
export function swapItems(database: RetailDatabase, order: Row, swap: ItemSwap): void {
  for (const [itemId, newItemId] of pairsOf(swap)) {
    const item = getItem(order, itemId);
    const variant = getAvailable(database, item, newItemId);
    item
      .set('item_id', newItemId)
      .set('price', readAmount(variant, 'price'))
      .set('options', readRow(variant, 'options'));
  }
}

function count(ids: readonly string[], wanted: string): number {
  return ids.filter((id) => id === wanted).length;
}

function pairsOf({ itemIds, newItemIds }: ItemSwap): [string, string][] {
  return itemIds.map((itemId, index) => [itemId, newItemIds[index] ?? '']);
}

function getItem(order: Row, itemId: string): Row {
  const item = readRows(order, 'items').find((candidate) => readText(candidate, 'item_id') === itemId);
  if (!item) throw new Refusal(`${itemId} not found`);
  return item;
}

function getAvailable(database: RetailDatabase, item: Row, newItemId: string): Row {
  const variants = readRow(database.getProduct(readText(item, 'product_id')), 'variants');
  const variant = variants.has(newItemId) ? readRow(variants, newItemId) : undefined;
  if (variant && readTruth(variant, 'available')) return variant;
  throw new Refusal(`new item ${newItemId} not found or available`);
}
