const DRINKS =
  '우유|두유|주스|쥬스|음료|음료수|커피|아메리카노|라떼|모카|카푸치노|에스프레소|콜드브루|에이드' +
  '|스무디|쉐이크|셰이크|생수|탄산수|워터|콜라|사이다|환타|코코아|핫초코|식혜' +
  '|수정과|미숫가루|요구르트|녹차|홍차|보리차|유자차|매실차|옥수수차|아이스티|밀크티|허브티' +
  '|피크닉|비타500|포카리스웨트|게토레이|토레타';

// At the end of the name: `커피번` and `우유식빵` are eaten. What follows is the size.
const DRINK = new RegExp(`(?:${DRINKS})\\s*(?:\\(?\\d+\\s?(?:ml|㎖|l|개|팩)?\\)?)?$`, 'iu');

/** True for the name of something that one drinks. */
export function isDrink(name: string): boolean {
  return DRINK.test(name.normalize('NFKC').trim());
}
