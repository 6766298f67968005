"""All words of Card Barrage: names, the words of each verb, what touching means, the story."""
