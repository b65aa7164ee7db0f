"""Writes the files of the competition "Forest Trails" below a folder.

Usage: python prepare.py OUT

The data is generated: patches of ground along invented mountain trails, with the kind of columns that the well-known forest
cover data has, two of them text, and the tree cover as a class from 1 to 7. Each class has an altitude, a distance to water
and soils that it likes; the cover of a patch is the class with the best liking plus noise. Only `random.random` of the
standard library is drawn from, whose stream is fixed for a seed, and all values are rounded before they are written.
"""

import math
import os
import random
import sys

SEED = 202112
TRAIN_ROWS = 4000
TEST_ROWS = 1600

# name, share of the patches, mean and spread of the altitude in metres
AREAS = [
    ("Rawah", 0.42, 2930.0, 190.0),
    ("Neota", 0.08, 3230.0, 110.0),
    ("Comanche Peak", 0.38, 2960.0, 200.0),
    ("Cache la Poudre", 0.12, 2380.0, 170.0),
]
# name, altitude in metres around which the soil is found
SOILS = [
    ("Cathedral", 2250.0),
    ("Vanet", 2350.0),
    ("Ratake", 2450.0),
    ("Haploborolis", 2550.0),
    ("Bullwark", 2650.0),
    ("Legault", 2750.0),
    ("Catamount", 2850.0),
    ("Leighcan", 2980.0),
    ("Como", 3080.0),
    ("Rogert", 3180.0),
    ("Bross", 3290.0),
    ("Moran", 3400.0),
]
# class, altitude it likes, tolerance, weight of being near water, its soils, its areas, its abundance
COVERS = [
    (1, 3120.0, 105.0, 0.2, ("Leighcan", "Como", "Rogert"), ("Rawah", "Comanche Peak", "Neota"), 0.5),
    (2, 2890.0, 125.0, -0.1, ("Legault", "Catamount", "Leighcan"), ("Rawah", "Comanche Peak"), 0.9),
    (3, 2450.0, 105.0, -0.5, ("Ratake", "Haploborolis", "Vanet"), ("Cache la Poudre", "Comanche Peak"), 1.0),
    (4, 2260.0, 80.0, 2.2, ("Cathedral", "Vanet"), ("Cache la Poudre",), 0.6),
    (5, 2760.0, 65.0, 0.9, ("Bullwark", "Haploborolis", "Legault"), ("Comanche Peak", "Rawah"), 0.3),
    (6, 2470.0, 95.0, 1.3, ("Bullwark", "Haploborolis", "Ratake"), ("Cache la Poudre", "Comanche Peak"), 0.2),
    (7, 3360.0, 90.0, -0.6, ("Bross", "Moran", "Rogert"), ("Neota", "Rawah", "Comanche Peak"), 0.6),
]
NOISE = 0.42
COLUMNS = [
    "Elevation",
    "Aspect",
    "Slope",
    "Horizontal_Distance_To_Hydrology",
    "Vertical_Distance_To_Hydrology",
    "Horizontal_Distance_To_Roadways",
    "Hillshade_9am",
    "Hillshade_Noon",
    "Hillshade_3pm",
    "Horizontal_Distance_To_Fire_Points",
    "Wilderness_Area",
    "Soil_Family",
]


def gauss(generator):
    """One standard normal number, from uniform numbers alone."""
    radius = math.sqrt(-2.0 * math.log(1.0 - generator.random()))
    return radius * math.cos(2.0 * math.pi * generator.random())


def choose(generator, weights):
    """The place of one weight, drawn with a chance in proportion to it."""
    point = generator.random() * sum(weights)
    for place, weight in enumerate(weights):
        point -= weight
        if point < 0.0:
            return place
    return len(weights) - 1


def hillshade(aspect, slope, azimuth, altitude):
    """Light on a slope from 0 (shadow) to 254, all angles in degrees."""
    zenith = math.radians(90.0 - altitude)
    tilt = math.radians(slope)
    light = math.cos(zenith) * math.cos(tilt)
    light += math.sin(zenith) * math.sin(tilt) * math.cos(math.radians(azimuth - aspect))
    return int(round(254.0 * min(1.0, max(0.0, light))))


def draw_patch(generator):
    """The features of one patch, by column name."""
    name, _, mean, spread = AREAS[choose(generator, [area[1] for area in AREAS])]
    elevation = int(round(min(3700.0, max(1950.0, mean + spread * gauss(generator)))))
    soil_weights = [math.exp(-(((elevation - altitude) / 150.0) ** 2)) + 0.004 for _, altitude in SOILS]
    soil = SOILS[choose(generator, soil_weights)][0]
    aspect = int(generator.random() * 360.0)
    slope = int(round(min(52.0, 3.0 + abs(13.0 + 8.0 * gauss(generator)))))
    to_water = int(round(-230.0 * math.log(1.0 - generator.random())))
    above_water = int(round(to_water * (0.17 + 0.12 * gauss(generator))))
    return {
        "Elevation": elevation,
        "Aspect": aspect,
        "Slope": slope,
        "Horizontal_Distance_To_Hydrology": to_water,
        "Vertical_Distance_To_Hydrology": above_water,
        "Horizontal_Distance_To_Roadways": int(round(-1700.0 * math.log(1.0 - generator.random()))),
        "Hillshade_9am": hillshade(aspect, slope, 110.0, 50.0),
        "Hillshade_Noon": hillshade(aspect, slope, 180.0, 62.0),
        "Hillshade_3pm": hillshade(aspect, slope, 250.0, 40.0),
        "Horizontal_Distance_To_Fire_Points": int(round(-1500.0 * math.log(1.0 - generator.random()))),
        "Wilderness_Area": name,
        "Soil_Family": soil,
    }


def cover_of(generator, patch):
    """The tree cover of a patch: the class that likes it best, after noise."""
    dampness = math.exp(-patch["Horizontal_Distance_To_Hydrology"] / 180.0)
    northness = math.cos(math.radians(patch["Aspect"])) * patch["Slope"] / 20.0
    best_class, best_liking = 0, -1e9
    for cover, altitude, tolerance, water, soils, areas, abundance in COVERS:
        liking = abundance - 0.5 * ((patch["Elevation"] - altitude) / tolerance) ** 2
        liking += water * dampness * 1.5
        liking += 1.3 if patch["Soil_Family"] in soils else 0.0
        liking += 0.9 if patch["Wilderness_Area"] in areas else -0.9
        liking += (0.7 if cover in (1, 6) else -0.4 if cover in (3, 4) else 0.0) * northness
        liking += NOISE * gauss(generator)
        if liking > best_liking:
            best_class, best_liking = cover, liking
    return best_class


def texts(generator, patch):
    """The patch as CSV fields: some afternoon readings, water heights and soil samples are missing."""
    fields = {name: str(value) for name, value in patch.items()}
    if generator.random() < 0.06:
        fields["Hillshade_3pm"] = ""
    if generator.random() < 0.04:
        fields["Vertical_Distance_To_Hydrology"] = ""
    if generator.random() < 0.03:
        fields["Soil_Family"] = ""
    return [fields[name] for name in COLUMNS]


def write_lines(out, name, lines):
    """Writes text lines with LF ends to OUT/name."""
    path = os.path.join(out, *name.split("/"))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii", newline="\n") as stream:
        stream.write("\n".join(lines) + "\n")


def main(out):
    """Draws all patches and writes the public and the private files."""
    generator = random.Random(SEED)
    header = ["Id"] + COLUMNS
    train_lines = [",".join(header + ["Cover_Type"])]
    test_lines, answer_lines, sample_lines = [",".join(header)], ["Id,Cover_Type"], ["Id,Cover_Type"]
    for identifier in range(TRAIN_ROWS + TEST_ROWS):
        patch = draw_patch(generator)
        cover = cover_of(generator, patch)
        fields = [str(identifier)] + texts(generator, patch)
        if identifier < TRAIN_ROWS:
            train_lines.append(",".join(fields + [str(cover)]))
        else:
            test_lines.append(",".join(fields))
            answer_lines.append("%d,%d" % (identifier, cover))
            sample_lines.append("%d,2" % identifier)

    write_lines(out, "public/train.csv", train_lines)
    write_lines(out, "public/test.csv", test_lines)
    write_lines(out, "public/sample_submission.csv", sample_lines)
    write_lines(out, "private/answers.csv", answer_lines)


if __name__ == "__main__":
    main(sys.argv[1])
