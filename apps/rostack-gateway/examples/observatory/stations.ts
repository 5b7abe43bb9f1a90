import type { Station } from './records.ts';

const TABLE: readonly (readonly [
  id: string,
  name: string,
  nameEn: string,
  latitude: number,
  longitude: number,
  elevationM: number,
])[] = [
  ['seoul', '서울', 'Seoul', 37.571, 126.966, 86],
  ['incheon', '인천', 'Incheon', 37.478, 126.624, 69],
  ['suwon', '수원', 'Suwon', 37.257, 126.983, 40],
  ['chuncheon', '춘천', 'Chuncheon', 37.903, 127.736, 76],
  ['gangneung', '강릉', 'Gangneung', 37.752, 128.891, 27],
  ['daegwallyeong', '대관령', 'Daegwallyeong', 37.677, 128.718, 773],
  ['cheongju', '청주', 'Cheongju', 36.639, 127.441, 59],
  ['daejeon', '대전', 'Daejeon', 36.372, 127.372, 69],
  ['jeonju', '전주', 'Jeonju', 35.841, 127.119, 62],
  ['gwangju', '광주', 'Gwangju', 35.173, 126.892, 73],
  ['mokpo', '목포', 'Mokpo', 34.817, 126.381, 39],
  ['yeosu', '여수', 'Yeosu', 34.739, 127.741, 66],
  ['daegu', '대구', 'Daegu', 35.878, 128.653, 54],
  ['pohang', '포항', 'Pohang', 36.033, 129.38, 4],
  ['busan', '부산', 'Busan', 35.105, 129.032, 70],
  ['ulleungdo', '울릉도', 'Ulleungdo', 37.481, 130.899, 222],
  ['jeju', '제주', 'Jeju', 33.514, 126.53, 21],
  ['seogwipo', '서귀포', 'Seogwipo', 33.246, 126.565, 51],
];

/** The stations of the sample: real places, invented readings. */
export const STATIONS: readonly Station[] = TABLE.map(
  ([id, name, nameEn, latitude, longitude, elevationM]) => ({
    id,
    name,
    name_en: nameEn,
    location: { latitude, longitude, elevation_m: elevationM },
    status: 'online',
  }),
);
